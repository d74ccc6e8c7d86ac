package dev.shardkit;

import dev.shardkit.presence.NonemptyChunksUpdate;
import dev.shardkit.registry.FormatChoice;
import dev.shardkit.registry.Registry;
import dev.shardkit.session.InternalAccess;
import dev.shardkit.session.Settings;
import dev.shardkit.session.Settings.Threads;
import dev.shardkit.session.Settings.Writing;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.store.policy.MissingChunks;
import dev.shardkit.store.policy.ShardReadPolicy;
import dev.shardkit.store.policy.SymbolicLinks;
import dev.shardkit.store.policy.WriteOwnership;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Options for opening, reading and writing nodes. They are run-time choices and never part of the metadata. Immutable;
 * start with {@link #defaults()}.
 */
public final class ZarrOptions {
    private static final ZarrOptions DEFAULTS = new ZarrOptions(Settings.defaults());

    static {
        InternalAccess.open(ZarrOptions.class, options -> options.settings);
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

    /** Returns the defaults, which the other methods name. */
    public static ZarrOptions defaults() {
        return DEFAULTS;
    }

    /** Returns these options with other plug-ins. The default is all that {@link java.util.ServiceLoader} finds. */
    public ZarrOptions withRegistry(Registry registry) {
        return new ZarrOptions(settings.with(registry));
    }

    /** Returns these options with other limits for untrusted data. The default is {@link Limits#defaults()}. */
    public ZarrOptions withLimits(Limits limits) {
        return new ZarrOptions(settings.with(limits));
    }

    /**
     * Returns these options with an executor for work outside the calling thread. The default is daemon threads of this
     * library.
     *
     * <p>An executor with one thread is enough, even if that thread makes blocking calls or waits for returned futures
     * by {@code join()}. A thread that waits without a time limit for a returned future, or for one derived from it by
     * {@code thenApply} and the like, runs the call itself if no other thread has begun it. A wait for several futures
     * at once ({@code allOf}) does not run their calls. Code that depends on a returned future does not run on the
     * executor, so it may wait for other calls. Listeners, targets and feeds do run on it. In them, use blocking calls,
     * or give the executor a thread for each wait.
     *
     * <p>An executor that runs tasks on the submitting thread ({@code Runnable::run}) mixes the work of several calls.
     * If calls share one request for a shard index, the thread that receives the response continues all of them,
     * including their listeners. A slow listener or codec of one call then delays the others.
     */
    public ZarrOptions withExecutor(Executor executor) {
        return new ZarrOptions(settings.with(new Threads(executor, parallelism())));
    }

    /**
     * Returns these options with another number of threads of a call, including the calling thread. The default is the
     * number of processors.
     */
    public ZarrOptions withParallelism(int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("expected a parallelism of at least 1, found " + threads);
        }
        return new ZarrOptions(settings.with(new Threads(settings.threads().executor(), threads)));
    }

    /**
     * Returns these options with another cache size for shard indexes and whole shards, in bytes. The default is 64
     * MiB; 0 disables the cache. All open nodes of a process share a limit of a quarter of the heap.
     */
    public ZarrOptions withCacheBytes(long bytes) {
        return new ZarrOptions(settings.withCacheBytes(bytes));
    }

    /**
     * Returns these options with another read policy: how much of a shard a read fetches. The default is
     * {@link ShardReadPolicy#AUTO}.
     */
    public ZarrOptions withReadPolicy(ShardReadPolicy policy) {
        return new ZarrOptions(settings.with(settings.reading().with(policy)));
    }

    /**
     * Returns these options with a policy for merging neighbouring reads. The default follows the advice of the store.
     */
    public ZarrOptions withMergePolicy(MergePolicy policy) {
        return new ZarrOptions(settings.with(settings.reading().with(policy)));
    }

    /** Promises that stored objects never change. Cached data are then used without asking the store. */
    public ZarrOptions withImmutableObjects() {
        return new ZarrOptions(settings.with(settings.reading().immutable()));
    }

    /**
     * Returns these options with another treatment of chunks that are not stored. The default is
     * {@link MissingChunks#FILL}.
     */
    public ZarrOptions withMissingChunks(MissingChunks missing) {
        return new ZarrOptions(settings.with(settings.reading().with(missing)));
    }

    /** Returns these options with a listener. The default is none. */
    public ZarrOptions withListener(StoreListener listener) {
        return new ZarrOptions(settings.with(listener));
    }

    /**
     * Returns these options with another policy for writing chunks and shards. The default is
     * {@link ShardWritePolicy#defaults()}.
     */
    public ZarrOptions withWritePolicy(ShardWritePolicy policy) {
        return new ZarrOptions(settings.with(policy));
    }

    /**
     * Returns these options with another ownership: whether other writers may write the same shards. The default is
     * {@link WriteOwnership#SHARED}.
     */
    public ZarrOptions withOwnership(WriteOwnership ownership) {
        return with(new Writing(writePolicy(), ownership, durability(), lockPatience()));
    }

    /**
     * Returns these options with another durability: the failures that a completed write survives. The default is
     * {@link Durability#FORCED}.
     */
    public ZarrOptions withDurability(Durability durability) {
        return with(new Writing(writePolicy(), ownership(), durability, lockPatience()));
    }

    /**
     * Returns these options with another time limit for waiting for a writer of the same shard. The default is one
     * minute.
     */
    public ZarrOptions withLockPatience(Duration patience) {
        return with(new Writing(writePolicy(), ownership(), durability(), patience));
    }

    /**
     * Returns these options with another treatment of symbolic links that lead out of the root of a store that is
     * opened by location. The default is {@link SymbolicLinks#REFUSE}. A store that the caller opened has its own
     * setting.
     */
    public ZarrOptions withLinks(SymbolicLinks links) {
        return new ZarrOptions(settings.with(links));
    }

    /**
     * Returns these options for nodes of one format, such as {@code n5}, as if the location began with {@code n5:}.
     * Nodes of other formats are not seen, nor created. Opening a node fails if no plug-in has this format.
     */
    public ZarrOptions withFormat(String name) {
        return withFormats(FormatChoice.named(name));
    }

    /**
     * Returns these options with another choice of formats that nodes may have. The default is
     * {@link FormatChoice#USUAL}. A location that names a format, such as {@code n5:https://...}, has nodes of this
     * format only; naming another one here is an {@code IllegalArgumentException} when it is opened.
     */
    public ZarrOptions withFormats(FormatChoice formats) {
        return new ZarrOptions(settings.with(formats));
    }

    /**
     * Returns these options with another treatment of the list of chunks that exist, which writes may update. The
     * default is {@link NonemptyChunksAttribute.OnWrite#IGNORE}.
     */
    public ZarrOptions withNonemptyChunks(NonemptyChunksAttribute.OnWrite keeping) {
        return new ZarrOptions(settings.withAfterWrite(
                keeping == NonemptyChunksAttribute.OnWrite.UPDATE ? NonemptyChunksUpdate::written : null));
    }

    /** Returns the plug-ins. */
    public Registry registry() {
        return settings.registry().get();
    }

    /** Returns the limits for untrusted data. */
    public Limits limits() {
        return settings.limits();
    }

    /** Returns the executor; empty for the threads of this library. */
    public Optional<Executor> executor() {
        return Optional.ofNullable(settings.threads().executor());
    }

    /** Returns the number of threads of a call. */
    public int parallelism() {
        return settings.threads().parallelism();
    }

    /** Returns the cache size in bytes. */
    public long cacheBytes() {
        return settings.cacheBytes();
    }

    /** Returns how much of a shard a read fetches. */
    public ShardReadPolicy readPolicy() {
        return settings.reading().policy();
    }

    /** Returns how neighbouring reads are merged; empty for the advice of the store. */
    public Optional<MergePolicy> mergePolicy() {
        return Optional.ofNullable(settings.reading().merging());
    }

    /** Returns whether stored objects are promised never to change; see {@link #withImmutableObjects()}. */
    public boolean isImmutable() {
        return settings.reading().isImmutable();
    }

    /** Returns the listener. */
    public StoreListener listener() {
        return settings.listener();
    }

    /** Returns how chunks and shards are written. */
    public ShardWritePolicy writePolicy() {
        return settings.writing().policy();
    }

    /** Returns whether other writers may write the same shards. */
    public WriteOwnership ownership() {
        return settings.writing().ownership();
    }

    /** Returns the failures that a completed write survives. */
    public Durability durability() {
        return settings.writing().durability();
    }

    /** Returns how long a write waits for another writer. */
    public Duration lockPatience() {
        return settings.writing().lockPatience();
    }

    /** Returns whether stores follow symbolic links out of their root. */
    public SymbolicLinks links() {
        return settings.links();
    }

    /** Returns the formats that nodes may have. */
    public FormatChoice formats() {
        return settings.formats();
    }

    /** Returns whether writes update the list of chunks that exist. */
    public NonemptyChunksAttribute.OnWrite nonemptyChunks() {
        return settings.afterWrite() != null
                ? NonemptyChunksAttribute.OnWrite.UPDATE
                : NonemptyChunksAttribute.OnWrite.IGNORE;
    }
}
