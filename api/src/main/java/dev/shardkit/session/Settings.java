package dev.shardkit.session;

import dev.shardkit.engine.edit.WriteContext;
import dev.shardkit.engine.run.ReadContext;
import dev.shardkit.engine.run.ValueCache;
import dev.shardkit.engine.threads.RequestLog;
import dev.shardkit.engine.threads.Workers;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.registry.FormatChoice;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.store.policy.MissingChunks;
import dev.shardkit.store.policy.ShardReadPolicy;
import dev.shardkit.store.policy.SymbolicLinks;
import dev.shardkit.store.policy.WriteOwnership;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The values behind {@code ZarrOptions}, which documents each of them.
 *
 * @param registry supplies the plug-ins; called once per session
 * @param formats the formats that nodes may have
 * @param afterWrite called after the chunks of a write are stored; null for no call
 */
public record Settings(
        Supplier<Registry> registry,
        Limits limits,
        Threads threads,
        long cacheBytes,
        Reading reading,
        StoreListener listener,
        Writing writing,
        SymbolicLinks links,
        FormatChoice formats,
        @Nullable AfterWrite afterWrite) {

    /**
     * The threads that do the work.
     *
     * @param executor the caller's executor; null for workers of this library
     * @param parallelism the number of workers without an executor
     */
    public record Threads(@Nullable Executor executor, int parallelism) {}

    /**
     * How reads run.
     *
     * @param policy how much of a shard a read fetches
     * @param merging how neighbouring reads are merged; null for the advice of the store
     * @param isImmutable whether cached values are used without checking that they are current
     * @param missing how a read treats chunks that are not stored
     */
    public record Reading(
            ShardReadPolicy policy, @Nullable MergePolicy merging, boolean isImmutable, MissingChunks missing) {
        /** Returns these values with another policy. */
        public Reading with(ShardReadPolicy other) {
            return new Reading(other, merging, isImmutable, missing);
        }

        /** Returns these values with another merge policy. */
        public Reading with(MergePolicy other) {
            return new Reading(policy, other, isImmutable, missing);
        }

        /** Returns these values with another treatment of missing chunks. */
        public Reading with(MissingChunks other) {
            return new Reading(policy, merging, isImmutable, other);
        }

        /** Returns these values for objects that never change. */
        public Reading immutable() {
            return new Reading(policy, merging, true, missing);
        }
    }

    /**
     * How writes run.
     *
     * @param policy how shards are changed
     * @param ownership whether other writers may write the same shards
     * @param durability the failures that a completed write survives
     * @param lockPatience how long a writer waits for a lock
     */
    public record Writing(
            ShardWritePolicy policy, WriteOwnership ownership, Durability durability, Duration lockPatience) {
        /** Returns these values with another write policy. */
        public Writing with(ShardWritePolicy other) {
            return new Writing(other, ownership, durability, lockPatience);
        }
    }

    /** Returns the defaults. */
    public static Settings defaults() {
        boolean isImmutable = false;
        return new Settings(
                Registry::load,
                Limits.defaults(),
                new Threads(null, Runtime.getRuntime().availableProcessors()),
                64L << 20, // bytes of the cache
                new Reading(ShardReadPolicy.AUTO, null, isImmutable, MissingChunks.FILL),
                StoreListener.NONE,
                new Writing(
                        ShardWritePolicy.defaults(), WriteOwnership.SHARED, Durability.FORCED, Duration.ofSeconds(60)),
                SymbolicLinks.REFUSE,
                FormatChoice.USUAL,
                null);
    }

    /** Returns these settings with other plug-ins. */
    public Settings with(Registry other) {
        return new Settings(
                () -> other, limits, threads, cacheBytes, reading, listener, writing, links, formats, afterWrite);
    }

    /** Returns these settings with other limits. */
    public Settings with(Limits other) {
        return new Settings(
                registry, other, threads, cacheBytes, reading, listener, writing, links, formats, afterWrite);
    }

    /** Returns these settings with other threads. */
    public Settings with(Threads other) {
        return new Settings(
                registry, limits, other, cacheBytes, reading, listener, writing, links, formats, afterWrite);
    }

    /** Returns these settings with another cache limit. */
    public Settings withCacheBytes(long other) {
        return new Settings(registry, limits, threads, other, reading, listener, writing, links, formats, afterWrite);
    }

    /** Returns these settings with other values for reads. */
    public Settings with(Reading other) {
        return new Settings(
                registry, limits, threads, cacheBytes, other, listener, writing, links, formats, afterWrite);
    }

    /** Returns these settings with another listener. */
    public Settings with(StoreListener other) {
        return new Settings(registry, limits, threads, cacheBytes, reading, other, writing, links, formats, afterWrite);
    }

    /** Returns these settings with other values for writes. */
    public Settings with(Writing other) {
        return new Settings(
                registry, limits, threads, cacheBytes, reading, listener, other, links, formats, afterWrite);
    }

    /** Returns these settings with another write policy. */
    public Settings with(ShardWritePolicy other) {
        return with(writing.with(other));
    }

    /** Returns these settings with another treatment of links. */
    public Settings with(SymbolicLinks other) {
        return new Settings(
                registry, limits, threads, cacheBytes, reading, listener, writing, other, formats, afterWrite);
    }

    /** Returns these settings with other formats of nodes. */
    public Settings with(FormatChoice other) {
        return new Settings(
                registry, limits, threads, cacheBytes, reading, listener, writing, links, other, afterWrite);
    }

    /** Returns these settings with another call after writes. */
    public Settings withAfterWrite(@Nullable AfterWrite other) {
        return new Settings(registry, limits, threads, cacheBytes, reading, listener, writing, links, formats, other);
    }

    /** Runs a blocking call on a thread of its own, before there is a session. Cancelling the future interrupts it. */
    public <T> CompletableFuture<T> async(Supplier<T> call) {
        return Workers.of(threads.executor(), threads.parallelism()).async(call);
    }

    /** Returns how a node at {@code location} is read with these settings. */
    ReadContext reading(Reads reads, String location, ValueCache cache) {
        ReadContext.Freshness freshness =
                reading.isImmutable() ? ReadContext.Freshness.IMMUTABLE : ReadContext.Freshness.REVALIDATE;
        MergePolicy chosen = reading.merging();
        Supplier<MergePolicy> merging = chosen != null ? () -> chosen : reads::mergePolicy;
        return new ReadContext(reads, location, merging, cache, freshness, RequestLog.of(location, listener));
    }

    /** Returns how the node at {@code path} is written with these settings. */
    WriteContext writing(Store store, String path, ReadContext reads) {
        WriteContext.Locking locking = writing.ownership() == WriteOwnership.OWNED
                ? WriteContext.Locking.NONE
                : WriteContext.Locking.AS_THE_STORE_CAN;
        return new WriteContext(
                store, path, reads, writing.policy(), writing.durability(), locking, writing.lockPatience());
    }

    /** Receives each write after its chunks are stored. If the write failed, some of them may be. */
    public interface AfterWrite {
        /**
         * Receives a write.
         *
         * @param cells supplies the cells of the chunks that the write was to change
         */
        void written(StoredNode node, ArrayMetadata metadata, long count, LongFunction<long[]> cells);
    }
}
