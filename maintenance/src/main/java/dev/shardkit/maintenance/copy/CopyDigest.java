package dev.shardkit.maintenance.copy;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.chunks.StoredChunkList;
import dev.shardkit.maintenance.chunks.StoredObjects;
import dev.shardkit.maintenance.source.StateDigest;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.region.StoredArray;
import dev.shardkit.store.ObjectSnapshot;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;

/**
 * Computes a digest of a copy. It covers the documents of the source and of the copy, and the keys and versions of the
 * source's objects. A run resumes an unfinished copy only if both have the same digest. Used by one thread.
 */
final class CopyDigest {
    private final StateDigest digest = new StateDigest();
    private final LayoutOverrides overrides;
    private final ZarrOptions options;
    private final Function<ZarrGroup, SortedMap<String, ZarrNode>> children;

    private CopyDigest(
            LayoutOverrides overrides, ZarrOptions options, Function<ZarrGroup, SortedMap<String, ZarrNode>> children) {
        this.overrides = overrides;
        this.options = options;
        this.children = children;
    }

    /** Returns the digest; empty if the source is remote, because it would take a request for each object. */
    static String of(
            ZarrNode source,
            LayoutOverrides overrides,
            ZarrOptions options,
            Function<ZarrGroup, SortedMap<String, ZarrNode>> children) {
        CopyDigest state = new CopyDigest(overrides, options, children);
        return state.add("", source) ? state.digest.text() : "";
    }

    /** Adds a node and its descendants. Returns false if an array is remote. */
    private boolean add(String path, ZarrNode node) {
        digest.add("/" + path);
        if (node instanceof ZarrArray array) {
            return addArray(array);
        }
        ZarrGroup group = (ZarrGroup) node;
        digest.add(MetadataWriter.write(group.metadata()));
        return children.apply(group).entrySet().stream().allMatch(e -> add(path + "/" + e.getKey(), e.getValue()));
    }

    private boolean addArray(ZarrArray array) {
        StoredArray stored = ArrayInternals.of(array);
        if (!stored.node().session().isLocal()) {
            return false;
        }
        digest.add(MetadataWriter.write(overrides.metadata(array, options)));
        digest.add(MetadataWriter.write(array.metadata()));
        StoredChunkList cells = StoredChunkList.of(array);
        for (long i = 0; i < cells.count(); i++) {
            String key = stored.key(cells.cell(i));
            Optional<String> version =
                    stored.node().store(store -> StoredObjects.find(store, key, ObjectSnapshot::version));
            version.ifPresent(v -> digest.add(key + "\n" + v));
        }
        return true;
    }
}
