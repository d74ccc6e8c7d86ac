package dev.shardkit.store.s3;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Where the keys for signing come from. Thread-safe.
 *
 * @param keys returns the current keys; empty for requests without a signature. May block if {@code mayWait}
 * @param identity equal for credentials that give the same keys
 * @param mayWait whether {@code keys} may block now
 * @param end releases what {@code keys} holds
 */
record CredentialsProvider(Supplier<Optional<AccessKey>> keys, Object identity, BooleanSupplier mayWait, Runnable end) {
    /** Returns the provider for requests without a signature. */
    static CredentialsProvider anonymous() {
        return new CredentialsProvider(Optional::empty, "anonymous", () -> false, () -> {});
    }

    /** Always the same keys. */
    static CredentialsProvider of(AccessKey keys) {
        return new CredentialsProvider(() -> Optional.of(keys), keys, () -> false, () -> {});
    }

    /** Keys that the caller supplies before each request. */
    static CredentialsProvider supplied(Supplier<AccessKey> supplier) {
        return new CredentialsProvider(() -> Optional.of(supplier.get()), supplier, () -> true, () -> {});
    }
}
