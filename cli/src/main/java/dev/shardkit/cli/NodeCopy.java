package dev.shardkit.cli;

import dev.shardkit.StagedArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.store.Store;
import java.util.SortedMap;

/**
 * Copies nodes, children before their group and chunks before their array's metadata. Memory is bounded by what the
 * shards that are written at once need. Not thread-safe.
 */
final class NodeCopy {
    private final Recut recut;
    private final Store target;
    private final ZarrOptions options;
    private final Output output;

    NodeCopy(Recut recut, Store target, ZarrOptions options, Output output) {
        this.recut = recut;
        this.target = target;
        this.options = options;
        this.output = output;
    }

    /** Finds out whether all of it can be copied as the options want it, before anything is written. */
    void check(ZarrNode from) {
        if (from instanceof ZarrArray array) {
            recut.metadata(array, options);
        } else if (from instanceof ZarrGroup group) {
            group.children().values().forEach(this::check);
        }
    }

    /** Copies {@code from} to {@code path} of the target. */
    void run(ZarrNode from, String path) {
        if (from instanceof ZarrArray array) {
            copy(array, path);
            return;
        }
        ZarrGroup group = (ZarrGroup) from;
        SortedMap<String, ZarrNode> children = group.children();
        children.forEach((name, child) -> run(child, path.isEmpty() ? name : path + "/" + name));
        ZarrGroup copied = Zarr.createGroup(target, path, group.attributes(), Zarr.Existing.REFUSE, options);
        if (group.metadata().consolidated().isPresent()) {
            copied.consolidate();
        }
    }

    private void copy(ZarrArray from, String path) {
        ArrayMetadata metadata = recut.metadata(from, options);
        try (Progress progress = Progress.of(path.isEmpty() ? "copy" : path, output)) {
            StagedArray staged =
                    Zarr.stageArray(target, path, metadata, Zarr.Existing.REFUSE, options.withListener(progress));
            ZarrArray to = staged.array();
            Memory.writing(to, () -> to.write(to.domain(), ShardFeed.of(from, from.domain())));
            staged.publish();
        }
    }
}
