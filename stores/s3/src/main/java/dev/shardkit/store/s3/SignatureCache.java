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
final class SignatureCache {
    private static final long MILLIS = 60_000;
    private static final int MAX = 256;

    /**
     * The signed properties of a request without a body; requests with equal properties share a signature.
     *
     * @param headers the signed headers
     */
    record Signed(String method, URI uri, Map<String, String> headers, AccessKey keys, String region) {}

    /**
     * A signature.
     *
     * @param headers the headers that the signature adds to the request
     * @param createdMillis the time of the signing, in milliseconds since 1970
     */
    private record Made(Map<String, String> headers, long createdMillis) {}

    private final LongSupplier clock;

    private final Map<Signed, Made> cached = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Signed, Made> eldest) {
            return size() > MAX;
        }
    };

    /** Uses a clock in milliseconds since 1970, because a monotonic clock may stop while the computer sleeps. */
    SignatureCache(LongSupplier clock) {
        this.clock = clock;
    }

    /** Returns the headers of a cached signature, or else of a new one, which {@code sign} makes. */
    Map<String, String> of(Signed signed, Supplier<Map<String, String>> sign) {
        long nowMillis = clock.getAsLong();
        synchronized (cached) {
            Made signature = cached.get(signed);
            if (signature != null && isFresh(signature, nowMillis)) {
                return signature.headers();
            }
        }
        Map<String, String> headers = Map.copyOf(sign.get());
        synchronized (cached) {
            cached.values().removeIf(signature -> !isFresh(signature, nowMillis)); // with the keys that made them
            cached.put(signed, new Made(headers, nowMillis));
        }
        return headers;
    }

    private static boolean isFresh(Made signature, long nowMillis) {
        return nowMillis >= signature.createdMillis() && nowMillis - signature.createdMillis() < MILLIS;
    }
}
