package dev.shardkit.maintenance.relayout;

import dev.shardkit.ChunkManifest;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.maintenance.base.ArrayInternals;
import dev.shardkit.maintenance.layout.ShardLayout;
import dev.shardkit.maintenance.relayout.Relayout.Change;
import dev.shardkit.maintenance.relayout.Relayout.Outcome;
import dev.shardkit.maintenance.relayout.Relayout.Technique;
import dev.shardkit.maintenance.staging.ArrayFingerprint;
import dev.shardkit.maintenance.staging.CellSet;
import dev.shardkit.maintenance.staging.IndexMemory;
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

/** The change of one array's layout. Used once, by one thread. */
final class RelayoutRun {
    private static final long CACHE_BYTES = 4 << 20;

    private final ZarrArray given;
    private final long @Nullable [] chunks;
    private final ShardLayout layout;
    private final Progress progress;
    private final String top;
    private final Runnable check;

    /**
     * A change.
     *
     * @param top the path of the requested node
     * @param check throws if the array must not be changed, before anything is done
     */
    RelayoutRun(
            ZarrArray array,
            long @Nullable [] chunks,
            ShardLayout layout,
            Progress progress,
            String top,
            Runnable check) {
        this.given = array.with(o ->
                o.withCacheBytes(Math.max(Math.min(CACHE_BYTES, o.cacheBytes()), IndexMemory.twiceTheLargest(array))));
        this.top = top;
        this.check = check;
        this.chunks = chunks;
        this.layout = layout;
        this.progress = progress;
    }

    /** Returns what would happen. */
    Change preview() {
        LayoutChange change = change(given);
        LayoutRebuild work = new LayoutRebuild(given, change.to(), new StagingArea(given));
        return change(
                change,
                change.isNone() ? Outcome.UNCHANGED : Outcome.CHANGED,
                switch (work.moving()) {
                    case ALL -> Technique.MOVED;
                    case SOME -> Technique.MIXED;
                    case NONE -> Technique.ENCODED;
                },
                0,
                0);
    }

    /** Returns the change of the array, or refuses it. */
    LayoutChange change(ZarrArray array) {
        LayoutChange change = LayoutChange.of(array, chunks, layout);
        if (!change.isNone()) {
            LayoutPreconditions.refuse(array, top);
            check.run();
            new LayoutSwap(array, new StagingArea(array)).interim(MetadataWriter.document(change.to())); // or refuses
        }
        return change;
    }

    /**
     * Changes the layout.
     *
     * @param replacing runs before the array is replaced
     */
    Change run(Runnable replacing) {
        return underLock(staging -> locked(staging, replacing));
    }

    private <T> T underLock(Function<StagingArea, T> work) {
        StagingArea staging = new StagingArea(given);
        return staging.publication().alone(given.options().lockPatience(), () -> work.apply(staging));
    }

    private Change locked(StagingArea staging, Runnable replacing) {
        Optional<Record> before = staging.record().filter(Record::isComplete);
        if (before.isPresent()) {
            replacing.run();
            new LayoutSwap(given, staging).finish(before.get());
        }
        ZarrArray array = UnfinishedLayout.current(given);
        LayoutChange change = change(array);
        if (change.isNone()) {
            boolean ended = before.isPresent()
                    && LayoutMembers.isSameCut(before.get().to(), MetadataWriter.document(change.to()));
            staging.discard();
            return change(change, ended ? Outcome.CHANGED : Outcome.UNCHANGED, Technique.MOVED, 0, 0);
        }
        LayoutRebuild work = stage(array, change, staging);
        replacing.run();
        LayoutSwap swap = new LayoutSwap(array, staging);
        swap.commit(staged(staging, array));
        if (!swap.finish(staged(staging, array))) {
            throw changed(array);
        }
        boolean listed = array.attributes().get(ChunkManifest.ATTRIBUTE).isPresent();
        if (listed
                && UnfinishedLayout.current(given)
                        .attributes()
                        .get(ChunkManifest.ATTRIBUTE)
                        .isEmpty()) {
            UnfinishedLayout.current(given).chunkManifest().rebuild();
        }
        Technique how = work.decoded() == 0
                ? Technique.MOVED
                : work.moving() == UnitRecoder.Moving.NONE ? Technique.ENCODED : Technique.MIXED;
        return change(change, Outcome.CHANGED, how, work.objects(), work.bytes());
    }

    private LayoutRebuild stage(ZarrArray array, LayoutChange change, StagingArea staging) {
        String source = ArrayFingerprint.of(array);
        staging.begin(change, source);
        LayoutRebuild work = new LayoutRebuild(array, change.to(), staging);
        CellSet blocks = work.blocks(array);
        int count = blocks.count();
        for (int i = 0; i < count; i++) {
            progress.at(array.path(), i, count);
            work.make(blocks.at(i));
        }
        progress.at(array.path(), count, count);
        if (!ArrayFingerprint.of(array).equals(source)) {
            staging.discard();
            throw changed(array);
        }
        return work;
    }

    /** Returns the record of the change. Another program that removes the array removes the record, too. */
    private static Record staged(StagingArea staging, ZarrArray array) {
        return staging.record()
                .orElseThrow(() -> at(array, "another program removed what the change of the layout had prepared"));
    }

    private static StoreException changed(ZarrArray array) {
        return at(
                array,
                "another program wrote to the array during the change of its layout; that write is kept. Run it again");
    }

    private static StoreException at(ZarrArray array, String message) {
        return (StoreException)
                new StoreException(message).locate(Optional.of(array.location()), Optional.empty(), Optional.empty());
    }

    private Change change(LayoutChange change, Outcome outcome, Technique how, long objects, long bytes) {
        ZarrArray target = Zarr.openArray(ArrayInternals.of(given).store(), given.path(), change.to(), given.options());
        return new Change(
                given.path(),
                outcome,
                outcome == Outcome.CHANGED ? Optional.of(how) : Optional.empty(),
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
