package dev.shardkit.store.cloud;

import dev.shardkit.spi.error.StoreException;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A bearer token that is renewed before it expires. A failure is remembered for a while, so that many requests do not
 * each wait for a server that does not answer. Guarded by its own monitor.
 */
public final class TokenCache implements Supplier<String> {
    private static final long REMEMBERED = Duration.ofSeconds(10).toNanos();
    /** A token is renewed this long before it expires. */
    private static final long EARLY = Duration.ofMinutes(2).toNanos();

    private final Supplier<BearerToken> source;
    private final LongSupplier clock;
    private @Nullable BearerToken token;
    private long fetchedAt;
    private @Nullable StoreException failure;
    private long failedAt;

    /** Fetches tokens from {@code source}, which may wait. */
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
        long nanos = clock.getAsLong();
        BearerToken current = token;
        long remaining = current == null ? 0 : current.validFor().toNanos() - (nanos - fetchedAt);
        if (current != null && remaining > EARLY) {
            return current.value();
        }
        boolean usable = current != null && remaining > 0;
        if (failure != null && nanos - failedAt < REMEMBERED) {
            if (usable) {
                return current.value();
            }
            throw new StoreException(failure.getMessage(), failure);
        }
        try {
            BearerToken fetched = source.get();
            token = fetched;
            fetchedAt = nanos;
            failure = null;
            return fetched.value();
        } catch (StoreException e) {
            failure = e;
            failedAt = nanos;
            if (usable) {
                return current.value();
            }
            throw e;
        }
    }
}
