package dev.shardkit.store.s3;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Keeps the signatures of recent reads, because signing is slow until the JVM has compiled it. A signature covers
 * neither the Range nor the If-Match header, so all reads of one object can share one. S3 accepts a signature for 15
 * minutes; the cache uses it for one minute only, which leaves room for clocks that differ. Thread-safe.
 */
final class SignatureCache {
    private static final long LIFETIME_MILLIS = 60_000;
    private static final int MAX_SIGNATURES = 256;

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
    private record Signature(Map<String, String> headers, long createdMillis) {}

    private final LongSupplier clock;

    private final Map<Signed, Signature> cached = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Signed, Signature> eldest) {
            return size() > MAX_SIGNATURES;
        }
    };

    /**
     * Creates an empty cache.
     *
     * @param clock returns milliseconds since 1970. A monotonic clock may stop while the computer sleeps
     */
    SignatureCache(LongSupplier clock) {
        this.clock = clock;
    }

    /** Returns the headers of a cached signature, or else of a new one, which {@code sign} makes. */
    Map<String, String> of(Signed signed, Supplier<Map<String, String>> sign) {
        long nowMillis = clock.getAsLong();
        synchronized (cached) {
            Signature signature = cached.get(signed);
            if (signature != null && isFresh(signature, nowMillis)) {
                return signature.headers();
            }
        }
        Map<String, String> headers = Map.copyOf(sign.get());
        synchronized (cached) {
            cached.values().removeIf(signature -> !isFresh(signature, nowMillis)); // drops expired keys, too
            cached.put(signed, new Signature(headers, nowMillis));
        }
        return headers;
    }

    private static boolean isFresh(Signature signature, long nowMillis) {
        return nowMillis >= signature.createdMillis() && nowMillis - signature.createdMillis() < LIFETIME_MILLIS;
    }
}
