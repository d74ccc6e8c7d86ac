package dev.shardkit.maintenance.copy;

import dev.shardkit.IfExists;
import dev.shardkit.StagedArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.maintenance.chunks.EncodedCopy;
import dev.shardkit.maintenance.destination.Destination;
import dev.shardkit.maintenance.source.SourceCheck;
import dev.shardkit.maintenance.source.StateDigest;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.store.Store;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;

/**
 * Copies the nodes and stored objects that an earlier copy does not have, without decoding. Children are written before
 * their group, and chunks before their array's metadata. Used by one thread.
 */
final class MissingNodesCopy {
    /** Identifies an interrupted mirror, which another run may resume before there is a document at the root. */
    private static final String STATE = state();

    private final Store target;
    private final Destination destination;
    private final ZarrOptions options;
    private final Progress progress;
    private final Function<ZarrGroup, SortedMap<String, ZarrNode>> children;

    /**
     * @param target the root of the mirror
     * @param children returns the children that are copied
     */
    MissingNodesCopy(
            Store target,
            ZarrOptions options,
            Progress progress,
            Function<ZarrGroup, SortedMap<String, ZarrNode>> children) {
        this.target = target;
        this.destination = Destination.of(target);
        this.options = options;
        this.progress = progress;
        this.children = children;
    }

    private static String state() {
        StateDigest digest = new StateDigest();
        digest.add("missing-only");
        return digest.text();
    }

    /** Completes the mirror of {@code source}. Writes nothing if a node there is not a copy of its source. */
    void complete(ZarrNode source) {
        check(source, "");
        if (!destination.resume(STATE) && find("").isEmpty()) {
            destination.clear(IfExists.REFUSE);
        }
        destination.publication().whileLocked(options.lockPatience(), () -> {
            if (!destination.resume(STATE)) { // else another run may have ended it before this one had the lock
                destination.begin(STATE, options.durability());
            }
            copy(source, "");
            destination.finish(options);
            return NoResult.INSTANCE;
        });
    }

    private Optional<ZarrNode> find(String path) {
        return Zarr.find(target, path, options);
    }

    private void check(ZarrNode from, String path) {
        Optional<ZarrNode> existing = find(path);
        if (from instanceof ZarrArray array) {
            ArrayMetadata metadata = LayoutOverrides.none().metadata(array, options);
            if (array.nodeFormat().isPresent() || !EncodedCopy.keepsObjects(array, metadata)) {
                throw new UnsupportedException(
                        array.location() + " cannot be copied as stored objects, which completing"
                                + " a copy needs: it is not of Zarr v3, or has storage transformers");
            }
            boolean isCopy = existing.isEmpty()
                    || existing.get() instanceof ZarrArray copy && EncodedCopy.isSame(metadata, copy.metadata());
            refuseUnless(isCopy, array, path);
        } else if (from instanceof ZarrGroup group) {
            refuseUnless(existing.isEmpty() || existing.get() instanceof ZarrGroup, group, path);
            children.apply(group).forEach((name, child) -> check(child, StoreKeys.join(path, name)));
        }
    }

    private void refuseUnless(boolean isCopy, ZarrNode from, String path) {
        if (!isCopy) {
            throw new StoreException("the node at \"" + path + "\" of " + target.describe() + " is not a copy of "
                    + from.location() + ": kind, shape, data type, fill value, grid or codecs differ; nothing was"
                    + " copied. To replace it, use IfExists.OVERWRITE");
        }
    }

    private void copy(ZarrNode from, String path) {
        Optional<ZarrNode> existing = find(path);
        if (from instanceof ZarrArray array) {
            if (existing.isPresent()) {
                MissingObjectsCopy.copy(array, (ZarrArray) existing.get(), path, progress);
                SourceCheck.confirm(array);
                return;
            }
            StagedArray staged = Zarr.stageArray(
                    target, path, LayoutOverrides.none().metadata(array, options), IfExists.REFUSE, options);
            MissingObjectsCopy.copy(array, staged.array(), path, progress);
            SourceCheck.confirm(array);
            destination.requireHeld();
            staged.publish();
            return;
        }
        ZarrGroup group = (ZarrGroup) from;
        children.apply(group).forEach((name, child) -> copy(child, StoreKeys.join(path, name)));
        SourceCheck.confirm(group);
        ZarrGroup copied = existing.isPresent() ? (ZarrGroup) existing.get() : create(group, path);
        if (group.metadata().consolidated().isPresent()) {
            copied.consolidate();
        }
    }

    private ZarrGroup create(ZarrGroup from, String path) {
        destination.requireHeld();
        return Zarr.createGroup(target, path, from.attributes(), IfExists.REFUSE, options);
    }
}
