package dev.shardkit.engine.threads;

import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.StoreListener;
import java.time.Duration;

/** A listener that forwards each call to another one. */
abstract class ForwardingListener implements StoreListener {
    private final StoreListener listener;

    ForwardingListener(StoreListener listener) {
        this.listener = listener;
    }

    /** Makes a call to the other listener. Subclasses decide on which thread, and what happens if it fails. */
    abstract void make(Runnable call);

    @Override
    public void onRequest(String key, ByteRange range) {
        make(() -> listener.onRequest(key, range));
    }

    @Override
    public void onResponse(String key, ByteRange range, long bytes, Duration elapsed) {
        make(() -> listener.onResponse(key, range, bytes, elapsed));
    }

    @Override
    public void onNoRanges(String key) {
        make(() -> listener.onNoRanges(key));
    }

    @Override
    public void onRetry(String key, int attempt, String reason) {
        make(() -> listener.onRetry(key, attempt, reason));
    }

    @Override
    public void onCacheHit(String key) {
        make(() -> listener.onCacheHit(key));
    }

    @Override
    public void onChanged(String key, int attempt) {
        make(() -> listener.onChanged(key, attempt));
    }

    @Override
    public void onWrite(String key, ShardWritePolicy.Strategy strategy, long bytes) {
        make(() -> listener.onWrite(key, strategy, bytes));
    }

    @Override
    public void onDelete(String key) {
        make(() -> listener.onDelete(key));
    }

    @Override
    public void onFallback(
            String key, ShardWritePolicy.Strategy requested, ShardWritePolicy.Strategy used, String reason) {
        make(() -> listener.onFallback(key, requested, used, reason));
    }

    @Override
    public void onRecovered(String key) {
        make(() -> listener.onRecovered(key));
    }

    @Override
    public void onProgress(long completed, long total) {
        make(() -> listener.onProgress(completed, total));
    }
}
