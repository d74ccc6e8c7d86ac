package dev.shardkit.store.s3;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Supplies the access keys with which requests are signed. Thread-safe.
 *
 * @param keys returns the current keys; empty for requests without a signature
 * @param identity equal for providers that supply the same keys
 * @param mayWait returns whether a call of {@code keys} may block now
 * @param end releases the resources of {@code keys}
 */
record CredentialsProvider(Supplier<Optional<AccessKey>> keys, Object identity, BooleanSupplier mayWait, Runnable end) {
    /** Returns the provider for requests without a signature. */
    static CredentialsProvider anonymous() {
        return new CredentialsProvider(Optional::empty, "anonymous", () -> false, () -> {});
    }

    /** Returns the provider that always supplies {@code keys}. */
    static CredentialsProvider of(AccessKey keys) {
        return new CredentialsProvider(() -> Optional.of(keys), keys, () -> false, () -> {});
    }

    /** Returns the provider that asks the caller's supplier before each request. */
    static CredentialsProvider supplied(Supplier<AccessKey> supplier) {
        return new CredentialsProvider(() -> Optional.of(supplier.get()), supplier, () -> true, () -> {});
    }
}
