package dev.shardkit.store.s3;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Keeps the signatures of the last reads. A signature covers neither the range nor the If-Match, so reads of one object
 * share it. S3 accepts a signature for 15 minutes; a minute here leaves enough for clocks that differ. Thread-safe.
 *
 * <p>Reads share signatures because signing is slow until the JVM has compiled it.
 */
final class Signatures {
    private static final long MILLIS = 60_000;
    private static final int MAX = 256;

    /**
     * What a signature without a body depends on.
     *
     * @param headers those that are signed
     */
    record Signed(String method, URI uri, Map<String, String> headers, S3Keys keys, String region) {}

    /**
     * A signature.
     *
     * @param headers those that it adds to the request
     * @param nanos when it was made, in milliseconds since 1970
     */
    private record Made(Map<String, String> headers, long nanos) {}

    private final LongSupplier clock;

    private final Map<Signed, Made> cached = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Signed, Made> eldest) {
            return size() > MAX;
        }
    };

    /** Takes a clock in milliseconds since 1970; a monotonic clock may stop while the computer sleeps. */
    Signatures(LongSupplier clock) {
        this.clock = clock;
    }

    /** Returns the headers of a signature: a kept one, or else what {@code sign} makes. */
    Map<String, String> of(Signed signed, Supplier<Map<String, String>> sign) {
        long nanos = clock.getAsLong();
        synchronized (cached) {
            Made signature = cached.get(signed);
            if (signature != null && isFresh(signature, nanos)) {
                return signature.headers();
            }
        }
        Map<String, String> headers = Map.copyOf(sign.get());
        synchronized (cached) {
            cached.values().removeIf(signature -> !isFresh(signature, nanos)); // with the keys that made them
            cached.put(signed, new Made(headers, nanos));
        }
        return headers;
    }

    private static boolean isFresh(Made signature, long nanos) {
        return nanos >= signature.nanos() && nanos - signature.nanos() < MILLIS;
    }
}
