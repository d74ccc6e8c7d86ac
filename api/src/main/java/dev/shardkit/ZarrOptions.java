package dev.shardkit;

import dev.shardkit.engine.ReadContext.Freshness;
import dev.shardkit.registry.Registry;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.store.Durability;
import dev.shardkit.store.Links;
import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.StoreListener;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * How nodes are opened, read and written: run-time choices, none of which enters the metadata. Immutable; start from
 * {@link #defaults()} and change what you like.
 */
public final class ZarrOptions {
    private static final ZarrOptions DEFAULTS = new ZarrOptions(new Values());

    private final Values values;

    private ZarrOptions(Values values) {
        this.values = values;
    }

    /** All choices; copied on each change. */
    private static final class Values implements Cloneable {
        private Supplier<Registry> registry = Registry::load;
        private Limits limits = Limits.defaults();
        private Optional<Executor> executor = Optional.empty();
        private int parallelism = Runtime.getRuntime().availableProcessors();
        private long cacheBytes = 64L << 20;
        private ReadPolicy readPolicy = ReadPolicy.AUTO;
        private Optional<MergePolicy> mergePolicy = Optional.empty();
        private Freshness freshness = Freshness.REVALIDATE;
        private StoreListener listener = StoreListener.NONE;
        private WritePolicy writePolicy = WritePolicy.defaults();
        private Ownership ownership = Ownership.SHARED;
        private Durability durability = Durability.FORCED;
        private Duration lockPatience = Duration.ofSeconds(60);
        private Links links = Links.REFUSE;
        private ChunkManifest.Keeping chunkManifest = ChunkManifest.Keeping.LEAVE;

        @Override
        protected Values clone() {
            try {
                return (Values) super.clone();
            } catch (CloneNotSupportedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private ZarrOptions with(java.util.function.Consumer<Values> change) {
        Values copy = values.clone();
        change.accept(copy);
        return new ZarrOptions(copy);
    }

    /** The defaults that the other methods name. */
    public static ZarrOptions defaults() {
        return DEFAULTS;
    }

    /** Where plug-ins come from; by default all that {@link java.util.ServiceLoader} finds. */
    public ZarrOptions withRegistry(Registry registry) {
        return with(v -> v.registry = () -> registry);
    }

    /** What is accepted from outside; by default {@link Limits#defaults()}. */
    public ZarrOptions withLimits(Limits limits) {
        return with(v -> v.limits = limits);
    }

    /** Where work is done beside the calling thread; by default daemon threads of our own. */
    public ZarrOptions withExecutor(Executor executor) {
        return with(v -> v.executor = Optional.of(executor));
    }

    /** How many threads one call uses, the calling one included; by default as many as there are processors. */
    public ZarrOptions withParallelism(int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("parallelism " + threads);
        }
        return with(v -> v.parallelism = threads);
    }

    /**
     * The memory for shard indexes and whole shards kept between calls, in bytes; by default 64 MiB, 0 keeps nothing.
     * All open nodes of a process together keep at most a quarter of the heap.
     */
    public ZarrOptions withCacheBytes(long bytes) {
        return with(v -> v.cacheBytes = bytes);
    }

    /** How much of a shard a read fetches; by default {@link ReadPolicy#AUTO}. */
    public ZarrOptions withReadPolicy(ReadPolicy policy) {
        return with(v -> v.readPolicy = policy);
    }

    /** How neighbouring reads are merged; by default as the store advises. */
    public ZarrOptions withMergePolicy(MergePolicy policy) {
        return with(v -> v.mergePolicy = Optional.of(policy));
    }

    /** Promises that stored objects never change, so what was kept is used without asking the store. */
    public ZarrOptions immutable() {
        return with(v -> v.freshness = Freshness.IMMUTABLE);
    }

    /** Who is told what happens; by default nobody. */
    public ZarrOptions withListener(StoreListener listener) {
        return with(v -> v.listener = listener);
    }

    /** How chunks and shards are written; by default {@link WritePolicy#defaults()}. */
    public ZarrOptions withWritePolicy(WritePolicy policy) {
        return with(v -> v.writePolicy = policy);
    }

    /** Whether others may write the same shards; by default {@link Ownership#SHARED}. */
    public ZarrOptions withOwnership(Ownership ownership) {
        return with(v -> v.ownership = ownership);
    }

    /** What a write survives; by default {@link Durability#FORCED}. */
    public ZarrOptions withDurability(Durability durability) {
        return with(v -> v.durability = durability);
    }

    /** How long a write waits for another writer of the same shard; by default a minute. */
    public ZarrOptions withLockPatience(Duration patience) {
        return with(v -> v.lockPatience = patience);
    }

    /**
     * Whether symbolic links that lead out of a store are followed, where a location is opened; by default
     * {@link Links#REFUSE}. A store that the caller opened has its own choice.
     */
    public ZarrOptions withLinks(Links links) {
        return with(v -> v.links = links);
    }

    /** Whether writes keep the list of chunks that exist; by default {@link ChunkManifest.Keeping#LEAVE}. */
    public ZarrOptions withChunkManifest(ChunkManifest.Keeping keeping) {
        return with(v -> v.chunkManifest = keeping);
    }

    /** Where plug-ins come from. */
    public Registry registry() {
        return values.registry.get();
    }

    /** What is accepted from outside. */
    public Limits limits() {
        return values.limits;
    }

    /** The caller's executor, if there is one. */
    public Optional<Executor> executor() {
        return values.executor;
    }

    /** How many threads one call uses. */
    public int parallelism() {
        return values.parallelism;
    }

    /** The memory for what is kept, in bytes. */
    public long cacheBytes() {
        return values.cacheBytes;
    }

    /** How much of a shard a read fetches. */
    public ReadPolicy readPolicy() {
        return values.readPolicy;
    }

    /** How neighbouring reads are merged; empty: as the store advises. */
    public Optional<MergePolicy> mergePolicy() {
        return values.mergePolicy;
    }

    /** Whether {@link #immutable()} was promised. */
    public boolean isImmutable() {
        return values.freshness == Freshness.IMMUTABLE;
    }

    /** Who is told what happens. */
    public StoreListener listener() {
        return values.listener;
    }

    /** How chunks and shards are written. */
    public WritePolicy writePolicy() {
        return values.writePolicy;
    }

    /** Whether others may write the same shards. */
    public Ownership ownership() {
        return values.ownership;
    }

    /** What a write survives. */
    public Durability durability() {
        return values.durability;
    }

    /** How long a write waits for another writer. */
    public Duration lockPatience() {
        return values.lockPatience;
    }

    /** Whether symbolic links that lead out of a store are followed. */
    public Links links() {
        return values.links;
    }

    /** Whether writes keep the list of chunks that exist. */
    public ChunkManifest.Keeping chunkManifest() {
        return values.chunkManifest;
    }
}
