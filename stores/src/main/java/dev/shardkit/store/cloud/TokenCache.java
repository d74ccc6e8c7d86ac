package dev.shardkit.store.cloud;

import dev.shardkit.spi.error.StoreException;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Caches a bearer token and renews it before it expires. Remembers a failure for a while, so that many requests do not
 * each wait for a server that does not answer. Thread-safe: a monitor guards all fields, also while a token is fetched.
 */
public final class TokenCache implements Supplier<String> {
    /** A failure is reported for this long, in nanoseconds, before the next attempt. */
    private static final long REMEMBERED = Duration.ofSeconds(10).toNanos();
    /** A token is renewed this long, in nanoseconds, before it expires. */
    private static final long EARLY = Duration.ofMinutes(2).toNanos();

    private final Supplier<BearerToken> source;
    private final LongSupplier clock;
    private @Nullable BearerToken token;
    private long fetchedAt;
    private @Nullable StoreException failure;
    private long failedAt;

    /** Creates a cache of tokens from {@code source}, which may block. */
    public TokenCache(Supplier<BearerToken> source) {
        this(source, System::nanoTime);
    }

    TokenCache(Supplier<BearerToken> source, LongSupplier clock) {
        this.source = source;
        this.clock = clock;
    }

    /** Returns a valid token; may wait for a server. */
    @Override
    public synchronized String get() {
        long nowNanos = clock.getAsLong();
        BearerToken current = token;
        long remaining = current == null ? 0 : current.validFor().toNanos() - (nowNanos - fetchedAt);
        if (current != null && remaining > EARLY) {
            return current.value();
        }
        boolean usable = current != null && remaining > 0;
        if (failure != null && nowNanos - failedAt < REMEMBERED) {
            if (usable) {
                return current.value();
            }
            throw new StoreException(failure.getMessage(), failure);
        }
        try {
            BearerToken fetched = source.get();
            token = fetched;
            fetchedAt = nowNanos;
            failure = null;
            return fetched.value();
        } catch (StoreException e) {
            failure = e;
            failedAt = clock.getAsLong(); // the attempt may have waited for longer than a failure is reported
            if (usable) {
                return current.value();
            }
            throw e;
        }
    }
}
