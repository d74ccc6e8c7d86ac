package dev.shardkit.engine.threads;

import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.StoreListener;
import java.time.Duration;

/**
 * Logs the responses to reads, retries, and changes of objects to the logger {@value #NAME} on level DEBUG, and cache
 * hits on level TRACE. Then passes the events on to another listener.
 */
public final class RequestLog extends ForwardingListener {
    /** The name of the logger. */
    public static final String NAME = "dev.shardkit.requests";

    private static final System.Logger LOG = System.getLogger(NAME);

    private final String array;

    private RequestLog(String array, StoreListener listener) {
        super(listener);
        this.array = array;
    }

    /**
     * Returns a listener that logs, then calls {@code listener}; or {@code listener} itself if the level is off.
     *
     * @param array the array's location
     */
    public static StoreListener of(String array, StoreListener listener) {
        return LOG.isLoggable(System.Logger.Level.DEBUG) ? new RequestLog(array, listener) : listener;
    }

    @Override
    void make(Runnable call) {
        call.run();
    }

    @Override
    public void onResponse(String key, ByteRange range, long bytes, Duration elapsed) {
        debug(key, "read " + range + ", " + bytes + " bytes in " + elapsed.toNanos() / 1000 + " us");
        super.onResponse(key, range, bytes, elapsed);
    }

    @Override
    public void onNoRanges(String key) {
        debug(key, "the server ignores ranges");
        super.onNoRanges(key);
    }

    @Override
    public void onRetry(String key, int attempt, String reason) {
        debug(key, "attempt " + attempt + " failed: " + reason);
        super.onRetry(key, attempt, reason);
    }

    @Override
    public void onCacheHit(String key) {
        if (LOG.isLoggable(System.Logger.Level.TRACE)) {
            LOG.log(System.Logger.Level.TRACE, array + ": " + key + ": from the cache");
        }
        super.onCacheHit(key);
    }

    @Override
    public void onChanged(String key, int attempt) {
        debug(key, "changed during the read, for the " + attempt + ". time");
        super.onChanged(key, attempt);
    }

    @Override
    public void onWrite(String key, ShardWritePolicy.Strategy strategy, long bytes) {
        debug(key, "written (" + strategy + "), " + bytes + " bytes");
        super.onWrite(key, strategy, bytes);
    }

    @Override
    public void onDelete(String key) {
        debug(key, "deleted");
        super.onDelete(key);
    }

    @Override
    public void onFallback(
            String key, ShardWritePolicy.Strategy requested, ShardWritePolicy.Strategy used, String reason) {
        debug(key, "written by " + used + " instead of " + requested + ": " + reason);
        super.onFallback(key, requested, used, reason);
    }

    @Override
    public void onRecovered(String key) {
        debug(key, "an interrupted write was recovered");
        super.onRecovered(key);
    }

    private void debug(String key, String message) {
        LOG.log(System.Logger.Level.DEBUG, array + ": " + key + ": " + message);
    }
}
