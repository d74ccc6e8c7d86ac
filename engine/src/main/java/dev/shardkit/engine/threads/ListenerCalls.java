package dev.shardkit.engine.threads;

import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.StoreListener;
import java.time.Duration;

/** A listener that forwards each call to another one. */
abstract class ListenerCalls implements StoreListener {
    private final StoreListener own;

    ListenerCalls(StoreListener own) {
        this.own = own;
    }

    /** Calls the other listener. */
    abstract void make(Runnable call);

    @Override
    public void onRequest(String key, ByteRange range) {
        make(() -> own.onRequest(key, range));
    }

    @Override
    public void onResponse(String key, ByteRange range, long bytes, Duration took) {
        make(() -> own.onResponse(key, range, bytes, took));
    }

    @Override
    public void onNoRanges(String key) {
        make(() -> own.onNoRanges(key));
    }

    @Override
    public void onRetry(String key, int attempt, String reason) {
        make(() -> own.onRetry(key, attempt, reason));
    }

    @Override
    public void onCacheHit(String key) {
        make(() -> own.onCacheHit(key));
    }

    @Override
    public void onChanged(String key, int attempt) {
        make(() -> own.onChanged(key, attempt));
    }

    @Override
    public void onWrite(String key, WritePolicy.Strategy strategy, long bytes) {
        make(() -> own.onWrite(key, strategy, bytes));
    }

    @Override
    public void onDelete(String key) {
        make(() -> own.onDelete(key));
    }

    @Override
    public void onFallback(String key, WritePolicy.Strategy wanted, WritePolicy.Strategy taken, String reason) {
        make(() -> own.onFallback(key, wanted, taken, reason));
    }

    @Override
    public void onRecovered(String key) {
        make(() -> own.onRecovered(key));
    }

    @Override
    public void onProgress(long done, long total) {
        make(() -> own.onProgress(done, total));
    }
}
