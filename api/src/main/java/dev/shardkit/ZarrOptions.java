package dev.shardkit;

import dev.shardkit.presence.ManifestChange;
import dev.shardkit.registry.Registry;
import dev.shardkit.session.Handles;
import dev.shardkit.session.Settings;
import dev.shardkit.session.Settings.Reading;
import dev.shardkit.session.Settings.Threads;
import dev.shardkit.session.Settings.Writing;
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

/**
 * How nodes are opened, read and written: run-time choices, none of which enters the metadata. Immutable; start from
 * {@link #defaults()} and change what you like.
 */
public final class ZarrOptions {
    private static final ZarrOptions DEFAULTS = new ZarrOptions(Settings.defaults());

    static {
        Handles.open(ZarrOptions.class, options -> options.settings);
    }

    private final Settings settings;

    ZarrOptions(Settings settings) {
        this.settings = settings;
    }

    Settings settings() {
        return settings;
    }

    private ZarrOptions with(Settings.Writing writing) {
        return new ZarrOptions(settings.with(writing));
    }

    /** The defaults that the other methods name. */
    public static ZarrOptions defaults() {
        return DEFAULTS;
    }

    /** Where plug-ins come from; by default all that {@link java.util.ServiceLoader} finds. */
    public ZarrOptions withRegistry(Registry registry) {
        return new ZarrOptions(settings.with(registry));
    }

    /** What is accepted from outside; by default {@link Limits#defaults()}. */
    public ZarrOptions withLimits(Limits limits) {
        return new ZarrOptions(settings.with(limits));
    }

    /**
     * Where work is done beside the calling thread; by default daemon threads of our own. An executor with one thread
     * is enough, also for blocking calls that are made on that thread. Code that depends on a future of ours does not
     * run on the executor, so it may wait for other calls. Listeners, targets and sources do run on it: there, use
     * blocking calls, or give the executor a thread for each that waits for a future.
     *
     * <p>An executor that runs tasks on the thread that hands them over ({@code Runnable::run}) does work of one call
     * on threads of others: several calls that need the same shard index share one request, and the thread that gets
     * its answer then continues all of them, with their listeners. A slow listener or codec of one call so delays the
     * others.
     */
    public ZarrOptions withExecutor(Executor executor) {
        return new ZarrOptions(settings.with(new Threads(executor, parallelism())));
    }

    /** How many threads one call uses, the calling one included; by default as many as there are processors. */
    public ZarrOptions withParallelism(int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("parallelism " + threads);
        }
        return new ZarrOptions(settings.with(new Threads(settings.threads().executor(), threads)));
    }

    /**
     * The memory for shard indexes and whole shards kept between calls, in bytes; by default 64 MiB, 0 keeps nothing.
     * All open nodes of a process together keep at most a quarter of the heap.
     */
    public ZarrOptions withCacheBytes(long bytes) {
        return new ZarrOptions(settings.withCacheBytes(bytes));
    }

    /** How much of a shard a read fetches; by default {@link ReadPolicy#AUTO}. */
    public ZarrOptions withReadPolicy(ReadPolicy policy) {
        return new ZarrOptions(
                settings.with(new Reading(policy, settings.reading().merging(), isImmutable())));
    }

    /** How neighbouring reads are merged; by default as the store advises. */
    public ZarrOptions withMergePolicy(MergePolicy policy) {
        return new ZarrOptions(settings.with(new Reading(readPolicy(), policy, isImmutable())));
    }

    /** Promises that stored objects never change, so what was kept is used without asking the store. */
    public ZarrOptions withImmutableObjects() {
        return new ZarrOptions(
                settings.with(new Reading(readPolicy(), settings.reading().merging(), true)));
    }

    /** Who is told what happens; by default nobody. */
    public ZarrOptions withListener(StoreListener listener) {
        return new ZarrOptions(settings.with(listener));
    }

    /** How chunks and shards are written; by default {@link WritePolicy#defaults()}. */
    public ZarrOptions withWritePolicy(WritePolicy policy) {
        return new ZarrOptions(settings.with(policy));
    }

    /** Whether others may write the same shards; by default {@link Ownership#SHARED}. */
    public ZarrOptions withOwnership(Ownership ownership) {
        return with(new Writing(writePolicy(), ownership, durability(), lockPatience()));
    }

    /** What a write survives; by default {@link Durability#FORCED}. */
    public ZarrOptions withDurability(Durability durability) {
        return with(new Writing(writePolicy(), ownership(), durability, lockPatience()));
    }

    /** How long a write waits for another writer of the same shard; by default a minute. */
    public ZarrOptions withLockPatience(Duration patience) {
        return with(new Writing(writePolicy(), ownership(), durability(), patience));
    }

    /**
     * Whether symbolic links that lead out of a store are followed, where a location is opened; by default
     * {@link Links#REFUSE}. A store that the caller opened has its own choice.
     */
    public ZarrOptions withLinks(Links links) {
        return new ZarrOptions(settings.with(links));
    }

    /** Whether writes keep the list of chunks that exist; by default {@link ChunkManifest.Keeping#LEAVE}. */
    public ZarrOptions withChunkManifest(ChunkManifest.Keeping keeping) {
        return new ZarrOptions(
                settings.withAfterWrite(keeping == ChunkManifest.Keeping.KEEP ? ManifestChange::written : null));
    }

    /** Where plug-ins come from. */
    public Registry registry() {
        return settings.registry().get();
    }

    /** What is accepted from outside. */
    public Limits limits() {
        return settings.limits();
    }

    /** The caller's executor, if there is one. */
    public Optional<Executor> executor() {
        return Optional.ofNullable(settings.threads().executor());
    }

    /** How many threads one call uses. */
    public int parallelism() {
        return settings.threads().parallelism();
    }

    /** The memory for what is kept, in bytes. */
    public long cacheBytes() {
        return settings.cacheBytes();
    }

    /** How much of a shard a read fetches. */
    public ReadPolicy readPolicy() {
        return settings.reading().policy();
    }

    /** How neighbouring reads are merged; empty: as the store advises. */
    public Optional<MergePolicy> mergePolicy() {
        return Optional.ofNullable(settings.reading().merging());
    }

    /** Whether {@link #withImmutableObjects()} was promised. */
    public boolean isImmutable() {
        return settings.reading().isImmutable();
    }

    /** Who is told what happens. */
    public StoreListener listener() {
        return settings.listener();
    }

    /** How chunks and shards are written. */
    public WritePolicy writePolicy() {
        return settings.writing().policy();
    }

    /** Whether others may write the same shards. */
    public Ownership ownership() {
        return settings.writing().ownership();
    }

    /** What a write survives. */
    public Durability durability() {
        return settings.writing().durability();
    }

    /** How long a write waits for another writer. */
    public Duration lockPatience() {
        return settings.writing().lockPatience();
    }

    /** Whether symbolic links that lead out of a store are followed. */
    public Links links() {
        return settings.links();
    }

    /** Whether writes keep the list of chunks that exist. */
    public ChunkManifest.Keeping chunkManifest() {
        return settings.afterWrite() != null ? ChunkManifest.Keeping.KEEP : ChunkManifest.Keeping.LEAVE;
    }
}
