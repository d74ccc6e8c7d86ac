package dev.shardkit.ome;

import dev.shardkit.StagedArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.LoadedFeed;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;

/** Writes the levels of a pyramid, the finest first, then the group. Used once. */
final class PyramidRun {
    private final Store target;
    private final ZarrOptions options;
    private final Progress progress;
    private final PyramidPlan plan;
    private final PyramidLevels levels;
    private int made;

    PyramidRun(Store target, ZarrOptions options, Progress progress, PyramidPlan plan) {
        this.target = target;
        this.options = options;
        this.progress = progress;
        this.plan = plan;
        this.levels = new PyramidLevels(plan);
    }

    Pyramid.Summary make(ZarrArray source) {
        int count = levels.count();
        for (int level = 0; level < count; level++) {
            if (!isComplete(level)) {
                if (level == 0) {
                    write(0, LoadedFeed.of(source, source.domain()));
                } else {
                    reduce(level);
                }
                made++;
            }
        }
        Zarr.createGroup(target, "", levels.metadata(count).attributes(), Zarr.Existing.REFUSE, options);
        return new Pyramid.Summary(count, made);
    }

    /** The document of a level is written after its chunks. */
    private boolean isComplete(int level) {
        return Zarr.find(target, PyramidLevels.path(level), options).isPresent();
    }

    private void reduce(int level) {
        try (ZarrArray finer = Zarr.openArray(target, PyramidLevels.path(level - 1), options)) {
            write(level, LoadedFeed.of(finer, new LevelFeed(finer, levels.factors(finer.shape()), plan.reducer())));
        }
    }

    private void write(int level, Feed feed) {
        String path = PyramidLevels.path(level);
        StagedArray staged = Zarr.stageArray(
                target,
                path,
                Zarr.describe(levels.spec(level), options),
                Zarr.Existing.REFUSE,
                options.withListener(new StoreListener() {
                    @Override
                    public void onProgress(long done, long total) {
                        progress.at(path, done, total);
                    }
                }));
        staged.array().write(staged.array().domain(), feed);
        staged.publish();
    }
}
