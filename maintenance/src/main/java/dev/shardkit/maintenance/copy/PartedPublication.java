package dev.shardkit.maintenance.copy;

import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.destination.FinishedNodeCheck;
import dev.shardkit.maintenance.local.CopiedPermissions;
import dev.shardkit.maintenance.source.SourceCheck;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.GroupMetadata;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Store;
import java.util.List;

/** Writes the metadata of a {@link PartedCopy}, which several processes may do at once. */
record PartedPublication(Copy copy, Store target, ZarrOptions options) {
    /**
     * Writes the metadata of all arrays and groups, children before their group.
     *
     * @param confirmation is called before each node is published; throws if the target is not this copy any more
     */
    void run(Runnable confirmation) {
        publish(copy.source, "", confirmation);
    }

    /** Whether the root, which is published last, has the document that {@link #run} writes. */
    boolean isRootPublished() {
        NodeMetadata root = copy.source instanceof ZarrArray array
                ? copy.overrides.metadata(array, options)
                : GroupMetadata.of(((ZarrGroup) copy.source).attributes());
        return isPublished("", root);
    }

    // The permissions stay open while the node is published. Closing them deletes the marker file, also one that
    // PartedCopy.write left.
    @SuppressWarnings("try")
    private void publish(ZarrNode from, String path, Runnable confirmation) {
        try (CopiedPermissions access =
                CopiedPermissions.restrict(List.of(from.location()), StoreKeys.location(target.describe(), path))) {
            if (from instanceof ZarrArray array) {
                ArrayMetadata metadata = copy.overrides.metadata(array, options);
                publish(from, path, metadata, confirmation, () -> Zarr.stageArray(
                                target, path, metadata, IfExists.REFUSE, options)
                        .publish());
                return;
            }
            ZarrGroup group = (ZarrGroup) from;
            copy.children(group).forEach((name, child) -> publish(child, StoreKeys.join(path, name), confirmation));
            publish(
                    group,
                    path,
                    GroupMetadata.of(group.attributes()),
                    confirmation,
                    () -> Zarr.createGroup(target, path, group.attributes(), IfExists.REFUSE, options));
            if (group.metadata().consolidated().isPresent()) {
                Zarr.openGroup(target, path, options).consolidate();
            }
        }
    }

    /** Publishes a node unless this process or another one that publishes the same copy has done it. */
    private void publish(ZarrNode from, String path, NodeMetadata metadata, Runnable confirmation, Runnable action) {
        if (isPublished(path, metadata)) {
            return;
        }
        SourceCheck.confirm(from);
        try {
            confirmation.run();
            action.run();
        } catch (StoreException e) {
            if (!isPublished(path, metadata)) {
                throw e;
            }
        }
    }

    private boolean isPublished(String path, NodeMetadata metadata) {
        return FinishedNodeCheck.isFinished(target, path, metadata, options);
    }
}
