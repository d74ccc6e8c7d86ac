package dev.shardkit.maintenance.destination;

import dev.shardkit.NonemptyChunksAttribute;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.ZarrOptions;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.GroupMetadata;
import dev.shardkit.metadata.MetadataReader;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides whether an interrupted run has completed a node of its target, so that the resumed run can skip it. Runs
 * write documents last, so a node is complete if it has the document that this run would write. A node with another
 * document was created by another program, or the source has changed. Such a node must not count as complete, because a
 * move deletes the source of a complete copy. Stateless.
 */
public final class FinishedNodeCheck {
    /** The largest number of characters of a member in messages. */
    private static final int MAX_SHOWN = 300;

    private FinishedNodeCheck() {}

    /**
     * Returns whether a node exists and has the document that this run would write.
     *
     * @param written the metadata that this run would write
     * @throws StoreException if there is a node with other metadata, apart from consolidated metadata and the list of
     *     chunks
     */
    public static boolean isFinished(Store target, String path, NodeMetadata written, ZarrOptions options) {
        Optional<ZarrNode> found;
        try {
            found = Zarr.find(target, path, options);
        } catch (MetadataException | UnsupportedException e) {
            throw mismatch(
                    target, path, "expected the metadata of this run, found some that cannot be read: " + e.fact());
        }
        if (found.isEmpty()) {
            return false;
        }
        NodeMetadata expected =
                new MetadataReader(options.registry(), options.limits()).read(MetadataWriter.write(written));
        findDifference(document(expected), document(metadata(found.get(), target, path)))
                .ifPresent(difference -> {
                    throw mismatch(target, path, difference);
                });
        return true;
    }

    /**
     * Checks that a node exists and has the document that this run would write.
     *
     * @param written the metadata that this run would write
     * @throws StoreException if there is no node, or one with other metadata, as in {@link #isFinished}
     */
    public static void requireFinished(Store target, String path, NodeMetadata written, ZarrOptions options) {
        if (!isFinished(target, path, written, options)) {
            throw mismatch(target, path, "expected the metadata of this run, found no node");
        }
    }

    /** Returns the metadata of a node. Throws if it is not a Zarr v3 node. */
    private static NodeMetadata metadata(ZarrNode node, Store target, String path) {
        boolean isForeign = node instanceof ZarrArray array
                ? array.nodeFormat().isPresent()
                : ((ZarrGroup) node).nodeFormat().isPresent();
        if (isForeign) {
            throw mismatch(target, path, "expected a node of Zarr v3, found one of another format");
        }
        return node instanceof ZarrArray array ? array.metadata() : ((ZarrGroup) node).metadata();
    }

    /**
     * Returns the document without consolidated metadata and {@code nonempty_chunks}, which depend on other nodes and
     * on chunks.
     */
    private static Json.Obj document(NodeMetadata metadata) {
        if (metadata instanceof ArrayMetadata array) {
            Map<String, Json> attributes =
                    new LinkedHashMap<>(array.attributes().members());
            attributes.remove(NonemptyChunksAttribute.ATTRIBUTE);
            return MetadataWriter.document(
                    array.toBuilder().attributes(new Json.Obj(attributes)).build());
        }
        return MetadataWriter.document(
                metadata instanceof GroupMetadata group ? group.withoutConsolidated() : metadata);
    }

    /** Describes a member that differs, preferably the node type; empty if the documents are equal. */
    private static Optional<String> findDifference(Json.Obj expected, Json.Obj found) {
        Set<String> names = new LinkedHashSet<>(expected.members().keySet());
        names.addAll(found.members().keySet());
        return names.stream()
                .filter(name -> !expected.get(name).equals(found.get(name)))
                .min(Comparator.comparing(name -> !name.equals("node_type")))
                .map(name -> name + ": expected " + abbreviate(expected.get(name)) + ", found "
                        + abbreviate(found.get(name)));
    }

    private static String abbreviate(Optional<Json> member) {
        String text = member.map(Json::toString).orElse("nothing");
        return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "...";
    }

    /** Returns the error for a node that this run would not write. */
    public static StoreException mismatch(Store target, String path, String difference) {
        return new StoreException("the unfinished target holds a node at " + StoreKeys.location(target.describe(), path)
                + " that this run would not write: " + difference
                + ". Another program made or changed it after the interrupted run, or the source has changed; it is kept, "
                + "and so is the source. Move it elsewhere or remove it, then repeat the call to resume");
    }
}
