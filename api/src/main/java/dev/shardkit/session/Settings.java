package dev.shardkit.session;

import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.store.Durability;
import dev.shardkit.store.Links;
import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.Ownership;
import dev.shardkit.store.ReadPolicy;
import dev.shardkit.store.StoreListener;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * The values behind {@code ZarrOptions}, which documents each.
 *
 * @param registry gives the plug-ins; asked once for each session
 * @param afterWrite what is done when the chunks of a write are stored
 */
public record Settings(
        Supplier<Registry> registry,
        Limits limits,
        Threads threads,
        long cacheBytes,
        Reading reading,
        StoreListener listener,
        Writing writing,
        Links links,
        Optional<AfterWrite> afterWrite) {

    /**
     * Who does the work.
     *
     * @param executor the caller's own executor
     * @param parallelism the number of workers where there is none
     */
    public record Threads(Optional<Executor> executor, int parallelism) {}

    /**
     * How reads are made.
     *
     * @param policy how much of a shard a read fetches
     * @param merging what neighbouring reads are merged; without one, the store's
     * @param isImmutable whether what was read once is believed for ever
     */
    public record Reading(ReadPolicy policy, Optional<MergePolicy> merging, boolean isImmutable) {}

    /**
     * How writes are made.
     *
     * @param policy how shards are changed
     * @param ownership whether others may write the same shards
     * @param durability what a write waits for
     * @param lockPatience how long a writer waits for a lock
     */
    public record Writing(WritePolicy policy, Ownership ownership, Durability durability, Duration lockPatience) {
        /** The same with another write policy. */
        public Writing with(WritePolicy other) {
            return new Writing(other, ownership, durability, lockPatience);
        }
    }

    /** What everybody begins with. */
    public static Settings defaults() {
        return new Settings(
                Registry::load,
                Limits.defaults(),
                new Threads(Optional.empty(), Runtime.getRuntime().availableProcessors()),
                64L << 20,
                new Reading(ReadPolicy.AUTO, Optional.empty(), false),
                StoreListener.NONE,
                new Writing(WritePolicy.defaults(), Ownership.SHARED, Durability.FORCED, Duration.ofSeconds(60)),
                Links.REFUSE,
                Optional.empty());
    }

    /** The same with other plug-ins. */
    public Settings with(Registry other) {
        return new Settings(() -> other, limits, threads, cacheBytes, reading, listener, writing, links, afterWrite);
    }

    /** The same with other limits. */
    public Settings with(Limits other) {
        return new Settings(registry, other, threads, cacheBytes, reading, listener, writing, links, afterWrite);
    }

    /** The same with other threads. */
    public Settings with(Threads other) {
        return new Settings(registry, limits, other, cacheBytes, reading, listener, writing, links, afterWrite);
    }

    /** The same with another limit of what is kept between reads. */
    public Settings withCacheBytes(long other) {
        return new Settings(registry, limits, threads, other, reading, listener, writing, links, afterWrite);
    }

    /** The same with reads made in another way. */
    public Settings with(Reading other) {
        return new Settings(registry, limits, threads, cacheBytes, other, listener, writing, links, afterWrite);
    }

    /** The same with another listener. */
    public Settings with(StoreListener other) {
        return new Settings(registry, limits, threads, cacheBytes, reading, other, writing, links, afterWrite);
    }

    /** The same with writes made in another way. */
    public Settings with(Writing other) {
        return new Settings(registry, limits, threads, cacheBytes, reading, listener, other, links, afterWrite);
    }

    /** The same with another write policy. */
    public Settings with(WritePolicy other) {
        return with(writing.with(other));
    }

    /** The same for other links. */
    public Settings with(Links other) {
        return new Settings(registry, limits, threads, cacheBytes, reading, listener, writing, other, afterWrite);
    }

    /** The same with something else done after writes. */
    public Settings withAfterWrite(Optional<AfterWrite> other) {
        return new Settings(registry, limits, threads, cacheBytes, reading, listener, writing, links, other);
    }

    /** What is known of a write when its chunks are stored, or some of them, if it failed. */
    public interface AfterWrite {
        /**
         * Does it.
         *
         * @param cells gives the cells of the chunks that the write was to change
         */
        void written(StoredNode node, ArrayMetadata metadata, long count, LongFunction<long[]> cells);
    }
}
