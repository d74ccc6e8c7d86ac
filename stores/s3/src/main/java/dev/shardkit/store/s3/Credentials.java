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
record Credentials(Supplier<Optional<S3Keys>> keys, Object identity, BooleanSupplier mayWait, Runnable end) {
    /** No signature. */
    static Credentials anonymous() {
        return new Credentials(Optional::empty, "anonymous", () -> false, () -> {});
    }

    /** Always the same keys. */
    static Credentials of(S3Keys keys) {
        return new Credentials(() -> Optional.of(keys), keys, () -> false, () -> {});
    }

    /** Keys that the caller supplies before each request. */
    static Credentials supplied(Supplier<S3Keys> supplier) {
        return new Credentials(() -> Optional.of(supplier.get()), supplier, () -> true, () -> {});
    }
}
