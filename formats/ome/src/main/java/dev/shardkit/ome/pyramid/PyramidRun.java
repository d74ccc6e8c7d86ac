package dev.shardkit.ome.pyramid;

import dev.shardkit.IfExists;
import dev.shardkit.StagedArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.maintenance.chunks.BoxWrites;
import dev.shardkit.maintenance.chunks.StoredBoxes;
import dev.shardkit.maintenance.chunks.UnchangedArrayReads;
import dev.shardkit.maintenance.destination.Destination;
import dev.shardkit.maintenance.destination.LazyFeed;
import dev.shardkit.maintenance.destination.ResumedWrite;
import dev.shardkit.maintenance.source.SourceCheck;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.ome.metadata.OmeVersion;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Writes the levels of a pyramid, the finest first, or resumes an interrupted run. Used once. */
final class PyramidRun {
    private final Store target;
    private final ZarrOptions options;
    private final Progress progress;
    private final PyramidLevels levels;
    private final Destination destination;
    private final boolean isResumed;
    private int createdLevels;

    PyramidRun(
            Store target,
            Destination destination,
            ZarrOptions options,
            Progress progress,
            PyramidLevels levels,
            boolean isResumed) {
        this.target = target;
        this.options = options;
        this.progress = progress;
        this.levels = levels;
        this.destination = destination;
        this.isResumed = isResumed;
    }

    /**
     * Writes the missing levels, each from the next finer one.
     *
     * @param copiesSource whether {@code source} is copied to level 0; otherwise it is level 0
     */
    Pyramid.Summary run(ZarrArray source, boolean copiesSource) {
        int count = levels.count();
        for (int level = copiesSource ? 0 : 1; level < count; level++) {
            if (!isComplete(level)) {
                if (level == 0) {
                    copySource(source);
                } else {
                    reduce(level, level == 1 && !copiesSource ? source : openLevel(level - 1));
                }
                createdLevels++;
            }
        }
        return new Pyramid.Summary(count, createdLevels);
    }

    private boolean isV2() {
        return levels.plan().version() == OmeVersion.V0_4;
    }

    /**
     * Returns whether a level is complete: its metadata document, which is written after its chunks, exists. Throws if
     * the level has a different document.
     */
    private boolean isComplete(int level) {
        String path = levels.path(level);
        return isV2()
                ? destination.isStored(
                        StoreKeys.join(path, V2Documents.ARRAY), V2Documents.arrayDocument(levels.spec(level)), options)
                : destination.isFinished(path, describeLevel(level), options);
    }

    private ArrayMetadata describeLevel(int level) {
        return Zarr.describe(levels.spec(level), options);
    }

    private ZarrArray openLevel(int level) {
        return isV2()
                ? Zarr.openArray(target, levels.path(level), describeLevel(level), options)
                : Zarr.openArray(target, levels.path(level), options);
    }

    private void copySource(ZarrArray source) {
        UnchangedArrayReads reads = UnchangedArrayReads.ofWhole(source);
        write(0, reads, LazyFeed.confirmed(reads), box -> box);
    }

    private void reduce(int level, ZarrArray finerLevel) {
        UnchangedArrayReads reads = UnchangedArrayReads.ofWhole(finerLevel);
        LevelLoader levelLoader = new LevelLoader(reads, levels.factors(finerLevel.shape()), levels.plan());
        write(level, reads, levelLoader, levelLoader.keepsFillValue() ? levelLoader::dependentBox : null);
    }

    /**
     * Writes a level.
     *
     * @param dependentBox returns the box of elements that depend on a box of {@code source}; null if absent chunks of
     *     the source must be reduced too, because a block of fill values is not reduced to the fill value
     */
    private void write(
            int level, UnchangedArrayReads source, LazyFeed.Loader loader, @Nullable UnaryOperator<Box> dependentBox) {
        String path = levels.path(level);
        ShardProgress shardProgress = new ShardProgress(path);
        ZarrOptions listeningOptions = options.withListener(shardProgress);
        if (isV2()) {
            writeShards(
                    Zarr.openArray(target, path, describeLevel(level), isResumed ? options : listeningOptions),
                    source,
                    shardProgress,
                    loader,
                    dependentBox);
            SourceCheck.confirm(source.array());
            destination.requireHeld();
            Json.Obj attributes = levels.plan().array().attributes();
            if (!attributes.members().isEmpty()) {
                destination.put(StoreKeys.join(path, V2Documents.ATTRIBUTES), attributes, options.durability());
            }
            destination.put(
                    StoreKeys.join(path, V2Documents.ARRAY),
                    V2Documents.arrayDocument(levels.spec(level)),
                    options.durability());
        } else {
            StagedArray staged = Zarr.stageArray(
                    target, path, describeLevel(level), IfExists.REFUSE, isResumed ? options : listeningOptions);
            writeShards(staged.array(), source, shardProgress, loader, dependentBox);
            SourceCheck.confirm(source.array());
            destination.requireHeld();
            staged.publish();
        }
    }

    /**
     * Writes the shards that depend on stored chunks of {@code source}. The array is new, so all other shards remain
     * absent.
     */
    private void writeShards(
            ZarrArray array,
            UnchangedArrayReads source,
            ShardProgress shardProgress,
            LazyFeed.Loader loader,
            @Nullable UnaryOperator<Box> dependentBox) {
        Optional<StoredBoxes> storedBoxes =
                dependentBox == null ? Optional.empty() : StoredBoxes.madeOf(source, array, dependentBox);
        if (isResumed) {
            ResumedWrite.run(
                    array,
                    loader,
                    shardIndex -> storedBoxes.isEmpty() || storedBoxes.get().has(shardIndex),
                    shardProgress.path,
                    progress);
        } else if (storedBoxes.isEmpty()) {
            array.write(array.domain(), LazyFeed.of(array, loader));
        } else {
            shardProgress.totalShards = storedBoxes.get().count();
            try (BoxWrites writes = new BoxWrites(array)) {
                storedBoxes
                        .get()
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

    /** Reports the progress of the writes of a level as if they were one write. */
    private final class ShardProgress implements StoreListener {
        private final String path;
        private volatile long totalShards;
        private long done;

        ShardProgress(String path) {
            this.path = path;
        }

        /** Counts calls, because several writes run in parallel and each of them starts at one. */
        @Override
        public synchronized void onProgress(long doneOfWrite, long total) {
            done++;
            progress.at(path, done, totalShards == 0 ? total : totalShards);
        }
    }
}
