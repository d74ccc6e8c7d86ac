package dev.shardkit.ome;

import dev.shardkit.Existing;
import dev.shardkit.StagedArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.maintenance.base.BoxWrites;
import dev.shardkit.maintenance.base.SourceNode;
import dev.shardkit.maintenance.base.SparseReads;
import dev.shardkit.maintenance.base.StoredBoxes;
import dev.shardkit.maintenance.copy.Destination;
import dev.shardkit.maintenance.copy.LazyFeed;
import dev.shardkit.maintenance.copy.ResumedWrite;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Writes the levels of a pyramid, the finest first. Used once. */
final class PyramidRun {
    private final Store target;
    private final ZarrOptions options;
    private final Progress progress;
    private final PyramidLevels levels;
    private final Destination destination;
    private final boolean isResumed;
    private int made;

    PyramidRun(Store target, ZarrOptions options, Progress progress, PyramidLevels levels, boolean isResumed) {
        this.target = target;
        this.options = options;
        this.progress = progress;
        this.levels = levels;
        this.destination = Destination.of(target);
        this.isResumed = isResumed;
    }

    /** Writes the levels that are missing, each from the one before; {@code source} is level 0 or becomes it. */
    Pyramid.Summary make(ZarrArray source, boolean copies) {
        int count = levels.count();
        for (int level = copies ? 0 : 1; level < count; level++) {
            if (!isComplete(level)) {
                if (level == 0) {
                    copy(source);
                } else {
                    reduce(level, level == 1 && !copies ? source : open(level - 1));
                }
                made++;
            }
        }
        return new Pyramid.Summary(count, made);
    }

    private boolean isV2() {
        return levels.plan().version() == OmeVersion.V0_4;
    }

    /** The document of a level is written after its chunks. A level with another document is an error. */
    private boolean isComplete(int level) {
        String path = levels.path(level);
        return isV2()
                ? destination.isStored(
                        StoreKeys.join(path, V2Documents.ARRAY), V2Documents.array(levels.spec(level)), options)
                : destination.isFinished(path, metadata(level), options);
    }

    private ArrayMetadata metadata(int level) {
        return Zarr.describe(levels.spec(level), options);
    }

    private ZarrArray open(int level) {
        return isV2()
                ? Zarr.openArray(target, levels.path(level), metadata(level), options)
                : Zarr.openArray(target, levels.path(level), options);
    }

    private void copy(ZarrArray source) {
        SparseReads reads = SparseReads.ofWhole(source);
        write(0, reads, LazyFeed.confirmed(reads), box -> box);
    }

    private void reduce(int level, ZarrArray finer) {
        SparseReads reads = SparseReads.ofWhole(finer);
        LevelFeed feed = new LevelFeed(reads, levels.factors(finer.shape()), levels.plan());
        write(level, reads, feed, feed.keepsFill() ? feed::reduced : null);
    }

    /**
     * Writes a level.
     *
     * @param made returns the elements that depend on a box of {@code from}; null if fill values become other elements
     */
    private void write(int level, SparseReads from, LazyFeed.Loader loader, @Nullable UnaryOperator<Box> made) {
        String path = levels.path(level);
        Steps steps = new Steps(path);
        ZarrOptions heard = options.withListener(steps);
        if (isV2()) {
            fill(Zarr.openArray(target, path, metadata(level), isResumed ? options : heard), from, steps, loader, made);
            SourceNode.confirm(from.array());
            Json.Obj attributes = levels.plan().array().attributes();
            if (!attributes.members().isEmpty()) {
                destination.put(StoreKeys.join(path, V2Documents.ATTRIBUTES), attributes, options.durability());
            }
            destination.put(
                    StoreKeys.join(path, V2Documents.ARRAY),
                    V2Documents.array(levels.spec(level)),
                    options.durability());
        } else {
            StagedArray staged =
                    Zarr.stageArray(target, path, metadata(level), Existing.REFUSE, isResumed ? options : heard);
            fill(staged.array(), from, steps, loader, made);
            SourceNode.confirm(from.array());
            staged.publish();
        }
    }

    /** Writes the shards that depend on stored chunks of {@code from}: the array is new, so the others stay absent. */
    private void fill(
            ZarrArray array, SparseReads from, Steps steps, LazyFeed.Loader loader, @Nullable UnaryOperator<Box> made) {
        Optional<StoredBoxes> stored = made == null ? Optional.empty() : StoredBoxes.madeOf(from, array, made);
        if (isResumed) {
            ResumedWrite.run(
                    array, loader, number -> stored.isEmpty() || stored.get().has(number), steps.path, progress);
        } else if (stored.isEmpty()) {
            array.write(array.domain(), LazyFeed.of(array, loader));
        } else {
            steps.all = stored.get().count();
            try (BoxWrites writes = new BoxWrites(array)) {
                stored.get()
                        .visit(
                                Long.MAX_VALUE,
                                box -> {
                                    writes.write(box, LazyFeed.of(array, loader.from(box.origin())));
                                },
                                absent -> {});
                writes.finish();
            }
        }
    }

    /** Reports the shards of several writes as those of one. */
    private final class Steps implements StoreListener {
        private final String path;
        private volatile long all;
        private long done;

        Steps(String path) {
            this.path = path;
        }

        /** Counts the calls: several writes run at once, and each begins at one. */
        @Override
        public synchronized void onProgress(long ofWrite, long total) {
            done++;
            progress.at(path, done, all == 0 ? total : all);
        }
    }
}
