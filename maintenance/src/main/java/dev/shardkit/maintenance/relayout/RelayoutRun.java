package dev.shardkit.maintenance.relayout;

import dev.shardkit.NonemptyChunksAttribute;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.layout.ShardLayout;
import dev.shardkit.maintenance.relayout.Relayout.Change;
import dev.shardkit.maintenance.relayout.Relayout.Outcome;
import dev.shardkit.maintenance.relayout.Relayout.Technique;
import dev.shardkit.maintenance.staging.ArrayFingerprint;
import dev.shardkit.maintenance.staging.CellSet;
import dev.shardkit.maintenance.staging.IndexMemoryEstimate;
import dev.shardkit.maintenance.staging.LayoutChange;
import dev.shardkit.maintenance.staging.LayoutMembers;
import dev.shardkit.maintenance.staging.LayoutPreconditions;
import dev.shardkit.maintenance.staging.LayoutRebuild;
import dev.shardkit.maintenance.staging.LayoutSwap;
import dev.shardkit.maintenance.staging.StagingArea;
import dev.shardkit.maintenance.staging.StagingArea.Record;
import dev.shardkit.maintenance.staging.UnfinishedLayout;
import dev.shardkit.maintenance.staging.UnitRecoder;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.spi.error.StoreException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Changes the layout of one array: stages the new objects, then swaps them with the old ones. Completes an interrupted
 * change first. Used once, by one thread.
 */
final class RelayoutRun {
    /** The largest size of the cache, unless two shard indexes need more. */
    private static final long CACHE_BYTES = 4 << 20;

    private final ZarrArray originalArray;
    private final long @Nullable [] chunks;
    private final ShardLayout layout;
    private final Progress progress;
    private final String topPath;
    private final Runnable check;

    /**
     * Creates a change.
     *
     * @param topPath the path of the requested node
     * @param check runs before anything is written, and throws if the array must not be changed
     */
    RelayoutRun(
            ZarrArray array,
            long @Nullable [] chunks,
            ShardLayout layout,
            Progress progress,
            String topPath,
            Runnable check) {
        long cacheBytes = Math.max(
                Math.min(CACHE_BYTES, array.options().cacheBytes()),
                IndexMemoryEstimate.cacheBytesForTwoIndexes(array));
        this.originalArray = array.with(options -> options.withCacheBytes(cacheBytes));
        this.topPath = topPath;
        this.check = check;
        this.chunks = chunks;
        this.layout = layout;
        this.progress = progress;
    }

    /** Returns the result that a run would have, for a dry run. */
    Change preview() {
        LayoutChange change = change(originalArray);
        LayoutRebuild work = new LayoutRebuild(originalArray, change.to(), new StagingArea(originalArray));
        return change(
                change,
                change.isUnchanged() ? Outcome.UNCHANGED : Outcome.CHANGED,
                switch (work.movableUnits()) {
                    case ALL -> Technique.MOVED;
                    case SOME -> Technique.MIXED;
                    case NONE -> Technique.ENCODED;
                },
                0,
                0);
    }

    /** Returns the change of the array. Throws if the array must not be changed. */
    LayoutChange change(ZarrArray array) {
        LayoutChange change = LayoutChange.of(array, chunks, layout);
        if (!change.isUnchanged()) {
            LayoutPreconditions.refuse(array, topPath);
            check.run();
            new LayoutSwap(array, new StagingArea(array))
                    .chooseInterimKeys(MetadataWriter.document(change.to())); // throws if there are none
        }
        return change;
    }

    /**
     * Changes the layout.
     *
     * @param beforeSwap runs before the documents and objects are swapped
     */
    Change run(Runnable beforeSwap) {
        return underLock(staging -> changeLayout(staging, beforeSwap));
    }

    private <T> T underLock(Function<StagingArea, T> work) {
        StagingArea staging = new StagingArea(originalArray);
        return staging.publication().whileLocked(originalArray.options().lockPatience(), () -> work.apply(staging));
    }

    /** Completes an interrupted change, then makes the requested one, while the lock is held. */
    private Change changeLayout(StagingArea staging, Runnable beforeSwap) {
        Optional<Record> before = staging.record().filter(Record::isComplete);
        if (before.isPresent()) {
            beforeSwap.run();
            new LayoutSwap(originalArray, staging).finish(before.get());
        }
        ZarrArray array = UnfinishedLayout.reopen(originalArray);
        LayoutChange change = change(array);
        if (change.isUnchanged()) {
            boolean wasCompletedNow = before.isPresent()
                    && LayoutMembers.hasSameChunks(before.get().to(), MetadataWriter.document(change.to()));
            staging.discard();
            return change(change, wasCompletedNow ? Outcome.CHANGED : Outcome.UNCHANGED, Technique.MOVED, 0, 0);
        }
        LayoutRebuild work = stage(array, change, staging);
        beforeSwap.run();
        LayoutSwap swap = new LayoutSwap(array, staging);
        swap.commit(stagedRecord(staging, array));
        if (!swap.finish(stagedRecord(staging, array))) {
            throw changedArray(array);
        }
        // The list of chunks names chunks of the old layout, so the swap removes it. It is built again.
        boolean hadChunkList =
                array.attributes().get(NonemptyChunksAttribute.ATTRIBUTE).isPresent();
        if (hadChunkList
                && UnfinishedLayout.reopen(originalArray)
                        .attributes()
                        .get(NonemptyChunksAttribute.ATTRIBUTE)
                        .isEmpty()) {
            UnfinishedLayout.reopen(originalArray).nonemptyChunks().rebuild();
        }
        Technique technique = work.decoded() == 0
                ? Technique.MOVED
                : work.movableUnits() == UnitRecoder.MovableUnits.NONE ? Technique.ENCODED : Technique.MIXED;
        return change(change, Outcome.CHANGED, technique, work.objects(), work.bytes());
    }

    /** Stages all new objects. Fails if another program writes to the array meanwhile. */
    private LayoutRebuild stage(ZarrArray array, LayoutChange change, StagingArea staging) {
        String source = ArrayFingerprint.of(array);
        staging.begin(change, source);
        LayoutRebuild work = new LayoutRebuild(array, change.to(), staging);
        CellSet blocks = work.findBlocks(array);
        int count = blocks.count();
        for (int i = 0; i < count; i++) {
            progress.at(array.path(), i, count);
            work.buildBlock(blocks.cell(i));
        }
        progress.at(array.path(), count, count);
        if (!ArrayFingerprint.of(array).equals(source)) {
            staging.discard();
            throw changedArray(array);
        }
        return work;
    }

    /**
     * Returns the record of the change. Fails if another program has removed it, for example together with the array.
     */
    private static Record stagedRecord(StagingArea staging, ZarrArray array) {
        return staging.record()
                .orElseThrow(
                        () -> failure(array, "another program removed what the change of the layout had prepared"));
    }

    private static StoreException changedArray(ZarrArray array) {
        return failure(
                array,
                "another program wrote to the array during the change of its layout; that write is kept. Run it again");
    }

    private static StoreException failure(ZarrArray array, String message) {
        return (StoreException)
                new StoreException(message).locate(Optional.of(array.location()), Optional.empty(), Optional.empty());
    }

    private Change change(LayoutChange change, Outcome outcome, Technique technique, long objects, long bytes) {
        ZarrArray target = Zarr.openArray(
                ArrayInternals.of(originalArray).store(), originalArray.path(), change.to(), originalArray.options());
        return new Change(
                originalArray.path(),
                outcome,
                outcome == Outcome.CHANGED ? Optional.of(technique) : Optional.empty(),
                lengths(target.storedChunkShape()),
                lengths(target.chunkShape()),
                objects,
                bytes,
                Optional.empty());
    }

    private static List<Long> lengths(long[] shape) {
        return Arrays.stream(shape).boxed().toList();
    }
}
