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

/**
 * Writes the levels of a {@link Pyramid}, the finest first. Resumes an interrupted run: complete levels and shards are
 * kept. Used once.
 */
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
                    // level 0 is the source itself unless it was copied
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

    /** Opens a level that is complete. In Zarr v2, its metadata are known, so the document need not be read. */
    private ZarrArray openLevel(int level) {
        return isV2()
                ? Zarr.openArray(target, levels.path(level), describeLevel(level), options)
                : Zarr.openArray(target, levels.path(level), options);
    }

    private void copySource(ZarrArray source) {
        UnchangedArrayReads reads = UnchangedArrayReads.ofWhole(source);
        write(0, reads, LazyFeed.confirmed(reads), box -> box); // each element is a copy of the source's
    }

    private void reduce(int level, ZarrArray finerLevel) {
        UnchangedArrayReads reads = UnchangedArrayReads.ofWhole(finerLevel);
        LevelLoader levelLoader = new LevelLoader(reads, levels.factors(finerLevel.shape()), levels.plan());
        write(level, reads, levelLoader, levelLoader.keepsFillValue() ? levelLoader::dependentBox : null);
    }

    /**
     * Writes a level.
     *
     * @param dependentBox returns the box of this level's elements that are computed from a box of {@code source}, so
     *     that absent chunks of the source are skipped. Null if absent chunks must be reduced too, because the reducer
     *     makes something else than the fill value of fill values
     */
    private void write(
            int level, UnchangedArrayReads source, LazyFeed.Loader loader, @Nullable UnaryOperator<Box> dependentBox) {
        String path = levels.path(level);
        ShardProgress shardProgress = new ShardProgress(path);
        // a resumed write reports its progress itself
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
     * Writes the shards whose elements depend on stored chunks of {@code source}. All other shards hold only the fill
     * value; they stay absent, because the array is new.
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

    /** Reports the progress of all writes of a level as if they were one write. */
    private final class ShardProgress implements StoreListener {
        private final String path;
        /**
         * The number of shards of the level that are written; 0 if one write covers the level and reports its own
         * total.
         */
        private volatile long totalShards;

        private long done;

        ShardProgress(String path) {
            this.path = path;
        }

        /**
         * Counts the calls. {@code doneOfWrite} is not used, because several writes run in parallel and each starts at
         * 1.
         */
        @Override
        public synchronized void onProgress(long doneOfWrite, long total) {
            done++;
            progress.at(path, done, totalShards == 0 ? total : totalShards);
        }
    }
}
