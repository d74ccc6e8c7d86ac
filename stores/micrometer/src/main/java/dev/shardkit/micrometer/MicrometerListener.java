package dev.shardkit.micrometer;

import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.RequestMetrics;
import dev.shardkit.store.StoreListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;

/**
 * Counts the events of arrays in a registry of Micrometer. The number of meters does not grow with the number of
 * objects: no key becomes a tag. Thread-safe.
 *
 * <table>
 *   <caption>Meters</caption>
 *   <tr><th>name</th><th>kind</th><th>what</th></tr>
 *   <tr><td>{@code shardkit.reads}</td><td>timer</td><td>reads of ranges, with their retries</td></tr>
 *   <tr><td>{@code shardkit.read.bytes}</td><td>counter</td><td>received bytes</td></tr>
 *   <tr><td>{@code shardkit.retries}</td><td>counter</td><td>attempts that failed and were repeated</td></tr>
 *   <tr><td>{@code shardkit.cache.hits}</td><td>counter</td><td>values that came from the cache</td></tr>
 *   <tr><td>{@code shardkit.changes}</td><td>counter</td><td>objects that changed during a read</td></tr>
 *   <tr><td>{@code shardkit.writes}</td><td>counter</td><td>written objects; tag {@code strategy}</td></tr>
 *   <tr><td>{@code shardkit.write.bytes}</td><td>counter</td><td>written bytes; tag {@code strategy}</td></tr>
 *   <tr><td>{@code shardkit.deletes}</td><td>counter</td><td>removed objects</td></tr>
 *   <tr><td>{@code shardkit.fallbacks}</td><td>counter</td><td>shards whose strategy did not apply</td></tr>
 *   <tr><td>{@code shardkit.recoveries}</td><td>counter</td><td>interrupted writes that were recovered</td></tr>
 * </table>
 */
public final class MicrometerListener implements StoreListener {
    private final MeterRegistry registry;
    private final Tags tags;
    private final Timer reads;
    private final Counter readBytes;
    private final Counter retries;
    private final Counter cacheHits;
    private final Counter changes;
    private final Counter deletes;
    private final Counter fallbacks;
    private final Counter recoveries;

    private MicrometerListener(MeterRegistry registry, Tags tags) {
        this.registry = registry;
        this.tags = tags;
        this.reads = registry.timer("shardkit.reads", tags);
        this.readBytes = bytes("shardkit.read.bytes", tags);
        this.retries = registry.counter("shardkit.retries", tags);
        this.cacheHits = registry.counter("shardkit.cache.hits", tags);
        this.changes = registry.counter("shardkit.changes", tags);
        this.deletes = registry.counter("shardkit.deletes", tags);
        this.fallbacks = registry.counter("shardkit.fallbacks", tags);
        this.recoveries = registry.counter("shardkit.recoveries", tags);
    }

    /**
     * Returns a listener that counts in {@code registry}.
     *
     * @param tags tags of all meters, such as the name of a data set
     */
    public static MicrometerListener of(MeterRegistry registry, Tag... tags) {
        return new MicrometerListener(Objects.requireNonNull(registry, "registry"), Tags.of(tags));
    }

    /**
     * Counts a request of a store: timer {@code shardkit.http.requests} with tags {@code host} and {@code status}
     * ({@code none} without an answer), and timer {@code shardkit.http.queued}, the wait for other requests. Pass this
     * method to {@code metrics} of a store's builder.
     */
    public void onRequestMetrics(RequestMetrics metrics) {
        Tags hostTags = tags.and("host", metrics.host());
        String status =
                metrics.status().isPresent() ? String.valueOf(metrics.status().getAsInt()) : "none";
        registry.timer("shardkit.http.requests", hostTags.and("status", status)).record(metrics.duration());
        registry.timer("shardkit.http.queued", hostTags).record(metrics.queued());
    }

    @Override
    public void onResponse(String key, ByteRange range, long bytes, Duration elapsed) {
        reads.record(elapsed);
        readBytes.increment(bytes);
    }

    @Override
    public void onRetry(String key, int attempt, String reason) {
        retries.increment();
    }

    @Override
    public void onCacheHit(String key) {
        cacheHits.increment();
    }

    @Override
    public void onChanged(String key, int attempt) {
        changes.increment();
    }

    @Override
    public void onWrite(String key, ShardWritePolicy.Strategy strategy, long bytes) {
        Tags strategyTags = tags.and("strategy", strategy.name().toLowerCase(Locale.ROOT));
        registry.counter("shardkit.writes", strategyTags).increment();
        bytes("shardkit.write.bytes", strategyTags).increment(bytes);
    }

    @Override
    public void onDelete(String key) {
        deletes.increment();
    }

    @Override
    public void onFallback(
            String key, ShardWritePolicy.Strategy requested, ShardWritePolicy.Strategy used, String reason) {
        fallbacks.increment();
    }

    @Override
    public void onRecovered(String key) {
        recoveries.increment();
    }

    private Counter bytes(String name, Tags counterTags) {
        return Counter.builder(name).baseUnit("bytes").tags(counterTags).register(registry);
    }
}
