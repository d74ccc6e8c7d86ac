package dev.shardkit.testing;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.policy.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes down what a listener is told. Thread-safe. */
public final class Log implements StoreListener {
    private final List<String> lines = new ArrayList<>();

    private synchronized void add(String line) {
        lines.add(line);
    }

    @Override
    public void onRequest(String key, ByteRange range) {
        add("request " + key);
    }

    @Override
    public void onRetry(String key, int attempt, String reason) {
        add("retry " + key + " " + attempt);
    }

    @Override
    public void onCacheHit(String key) {
        add("kept " + key);
    }

    @Override
    public void onChanged(String key, int attempt) {
        add("changed " + key + " " + attempt);
    }

    @Override
    public void onWrite(String key, ShardWritePolicy.Strategy strategy, long bytes) {
        add("write " + key);
        add(strategy + " " + key + " " + bytes);
    }

    @Override
    public void onDelete(String key) {
        add("delete " + key);
    }

    @Override
    public void onFallback(
            String key, ShardWritePolicy.Strategy wanted, ShardWritePolicy.Strategy taken, String reason) {
        add("fallback " + key + " " + wanted + " " + taken + " " + reason);
    }

    @Override
    public void onRecovered(String key) {
        add("recovered " + key);
    }

    /** The lines that begin with {@code prefix}, in order. */
    public synchronized List<String> of(String prefix) {
        return lines.stream().filter(l -> l.startsWith(prefix)).toList();
    }

    /** Forgets what was heard. */
    public synchronized Log clear() {
        lines.clear();
        return this;
    }

    /** Creates the array {@code a} with the fill value 5 in a folder. Its writes are atomic and told to this log. */
    public ZarrArray array(Path folder, ArraySpec spec) {
        return Zarr.createArray(
                FileStore.at(folder),
                "a",
                spec.withFillValue(5),
                IfExists.REFUSE,
                ZarrOptions.defaults().withListener(this).withDurability(Durability.ATOMIC));
    }
}
