package dev.shardkit.maintenance.check;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.maintenance.RepairStep;
import dev.shardkit.maintenance.RepairStep.Kind;
import dev.shardkit.maintenance.check.RepairSettings.Corrupt;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.publish.AllOrNothing;
import dev.shardkit.maintenance.relayout.Replacement;
import dev.shardkit.maintenance.source.TreeWalk;
import dev.shardkit.spi.codec.ShardWritePolicy.ForeignBytes;
import dev.shardkit.store.Store;
import dev.shardkit.store.Writes;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Cleans up after crashes: completes or rolls back interrupted changes in place, truncates shards after an interrupted
 * append, and deletes temporary files. Completes or rolls back an interrupted {@link Replacement} of all elements, if
 * all its arrays are at or below this node. On request it also removes damaged data that {@link Verification} finds, so
 * that the rest can be read again. A removed inner chunk reads as the fill value.
 *
 * <p>Do not repair arrays while a replacement of their elements runs: repair rolls it back, so that its commit fails.
 * In a store without locks, a repair during the commit can lose all elements, old and new.
 *
 * <p>Repair does not recover lost elements. It reports everything that it removes; {@link #withBackup} copies each
 * object first. A shard with foreign bytes is left unchanged unless {@link #withForeignBytes} is set.
 *
 * <p>Immutable and thread-safe. An interrupt ends the run with {@link java.util.concurrent.CancellationException};
 * finished steps are kept.
 */
public final class Repair {
    private final ZarrNode node;
    private final RepairSettings settings;

    private Repair(ZarrNode node, RepairSettings settings) {
        this.node = node;
        this.settings = settings;
    }

    /**
     * The totals of a run. Immutable.
     *
     * @param arrays the number of arrays
     * @param done the number of repairs that were made, or would be made
     * @param lostChunks the number of chunks and innermost inner chunks that these repairs remove, not counting those
     *     in {@code lostShards}
     * @param lostShards the number of shards that these repairs remove with all their inner chunks; the number of their
     *     inner chunks is unknown, because they have no valid index
     * @param left the number of faults that remain
     */
    public record Summary(long arrays, long done, long lostChunks, long lostShards, long left) {}

    /**
     * Describes a change of layout or a replacement of all elements that was interrupted or still runs, and how to
     * complete it. Returns empty if there is none. Costs at most two requests in a remote store, and none in a store
     * that does not support writes.
     *
     * @throws dev.shardkit.spi.error.StoreException if the store cannot be read
     */
    public static Optional<String> unfinished(ZarrArray array) {
        return UnfinishedWork.describe(array);
    }

    /** Creates a repair of an array, or of all arrays below a group. */
    public static Repair of(ZarrNode node) {
        return new Repair(node, RepairSettings.DEFAULTS);
    }

    /**
     * Returns a copy that removes chunks and inner chunks that do not decode. It decodes all chunks to find them. If
     * the checksum of a shard index does not match, the index is rebuilt from the entries whose inner chunks decode.
     */
    public Repair droppingCorruptChunks() {
        return new Repair(node, settings.with(Corrupt.DROP));
    }

    /**
     * Returns a copy that does the same as {@link #droppingCorruptChunks} and also deletes shards without any valid
     * index, such as truncated files, if no inner chunk can be recovered.
     */
    public Repair droppingCorruptShards() {
        return new Repair(node, settings.with(Corrupt.DROP_WITH_SHARDS));
    }

    /**
     * Returns a copy that also deletes stray chunks: stored chunks that no reader finds. They lie outside the grid, or
     * have a key in the other chunk key encoding. A change of layout fails while such objects exist. An append or a
     * change of layout that failed leaves such objects, and so does {@link dev.shardkit.ResizePolicy#KEEP}. They do not
     * show which program wrote them: first check the {@link RepairStep.Kind#STRAY} steps of a run without this setting.
     *
     * <p>While it deletes, it holds the locks of growing streams and of layout changes. If it cannot get them, it
     * deletes nothing. In stores with conditional deletes instead of locks, it keeps a chunk that a stream has written
     * meanwhile. Stores with neither give no protection, and each step says so: stop all writers first.
     */
    public Repair droppingStrays() {
        return new Repair(node, settings.with(RepairSettings.Strays.DELETE));
    }

    /** Returns a copy that keeps or drops foreign bytes in rewritten shards. By default such shards are refused. */
    public Repair withForeignBytes(ForeignBytes foreign) {
        return new Repair(node, settings.with(settings.policy().withForeignBytes(foreign)));
    }

    /**
     * Returns a copy that backs up each object to {@code store}, under the same key, before anything is removed from
     * it. An object of an earlier backup is never replaced: if the store has another object under the key, the fault
     * remains ({@link RepairStep.Kind#LEFT}). The store must not overlap the data; otherwise {@link #run} refuses it.
     *
     * @throws dev.shardkit.spi.error.UnsupportedException if {@code store} does not support writes
     */
    public Repair withBackup(Store store) {
        store.need(Writes.class, "keeping a backup");
        return new Repair(node, settings.with(store));
    }

    /** Returns a copy that reports its progress to {@code listener}. */
    public Repair withProgress(Progress listener) {
        return new Repair(node, settings.with(listener));
    }

    /**
     * Repairs the arrays, or reports what it would do.
     *
     * @param steps receives each step when it is done
     * @throws IllegalArgumentException if the backup lies inside the data or around it, or in the same archive; nothing
     *     has changed
     */
    public Summary run(Mode mode, Consumer<? super RepairStep> steps) {
        settings.refuseOverlap(AllOrNothing.store(node), node.location());
        RepairCounter counter = new RepairCounter(steps);
        Set<String> ended = UnfinishedWork.endReplacement(node, mode, counter);
        ZarrNode current = ended.isEmpty() || mode == Mode.DRY_RUN
                ? node
                : Zarr.find(AllOrNothing.store(node), node.path(), node.options())
                        .orElse(node);
        long arrays = TreeWalk.visit(
                current,
                (ZarrArray array) -> {
                    ArrayInternals.of(array).store("repairing an array");
                    ZarrArray now =
                            ended.contains(array.path()) ? array : UnfinishedWork.endLayout(array, mode, counter);
                    new RepairRun(now, settings, mode, counter).run();
                    new StrayRepair(now, settings, mode, counter).run();
                },
                (path, e) ->
                        counter.report(new RepairStep(Kind.LEFT, path, Optional.empty(), Optional.empty(), e.fact())));
        if (current instanceof ZarrGroup group) {
            UnfinishedWork.visitGroups(
                    group,
                    path -> false,
                    (path, what) ->
                            counter.report(new RepairStep(Kind.LEFT, path, Optional.empty(), Optional.empty(), what)));
        }
        return new Summary(arrays, counter.done(), counter.lostChunks(), counter.lostShards(), counter.left());
    }
}
