package dev.shardkit.session.consolidated;

import dev.shardkit.json.JsonReader;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.GroupMetadata;
import dev.shardkit.metadata.MetadataReader;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.metadata.UnsupportedNode;
import dev.shardkit.session.Session;
import dev.shardkit.session.StoredNode;
import dev.shardkit.session.search.FoundNode;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Updates the records of consolidated metadata from the stored documents. Its plans run while the group's document is
 * locked, so no other writer can change the group in between. Stateless, thread-safe.
 */
public final class NodeRecords {
    private NodeRecords() {}

    /** Reads the record of a node. */
    interface Reader {
        /**
         * Returns the record of the node; empty if there is no node.
         *
         * @param name the path of the node below the group
         * @param older the record of the node so far, which stays if the document of the node is invalid
         */
        Plan<Optional<NodeMetadata>> read(String name, @Nullable NodeMetadata older);

        /** Returns a reader of the nodes below {@code group}. */
        static Reader of(StoredNode group) {
            return (name, older) -> stored(group.descendant(group.session(), name), older);
        }
    }

    /** Returns the record of a node that needs a missing plug-in. */
    public static UnsupportedNode unsupported(Json.Obj document, UnsupportedException reason) {
        Map<String, Json> members = new LinkedHashMap<>(document.members());
        members.remove("consolidated_metadata");
        return new UnsupportedNode(new Json.Obj(members), reason);
    }

    /** Returns the record of a node with this document. The record of a group leaves out its consolidated metadata. */
    static NodeMetadata record(NodeMetadata document) {
        return document instanceof GroupMetadata group ? group.withoutConsolidated() : document;
    }

    /** Updates the records of these nodes. */
    static Plan<Map<String, NodeMetadata>> update(
            Map<String, NodeMetadata> older, Collection<String> names, Reader reader) {
        List<String> ordered = new ArrayList<>(new TreeSet<>(names)); // parents before their children
        return Plan.all(ordered.size(), i -> {
                    String name = ordered.get((int) i);
                    return reader.read(name, older.get(name));
                })
                .map(found -> {
                    Map<String, NodeMetadata> records = new LinkedHashMap<>(older);
                    SortedSet<String> sorted = new TreeSet<>(older.keySet());
                    for (int i = 0; i < ordered.size(); i++) {
                        put(records, sorted, ordered.get(i), found.get(i).orElse(null));
                    }
                    return records;
                });
    }

    /**
     * Updates the records of a node and its descendants.
     *
     * @param descendants the paths of descendants, below the node, that may have no record yet
     */
    static Plan<Map<String, NodeMetadata>> updateTree(
            Map<String, NodeMetadata> older, String name, Collection<String> descendants, Reader reader) {
        return update(older, List.of(name), reader).then(records -> {
            if (!records.containsKey(name) || records.get(name) instanceof ArrayMetadata) {
                return Plan.done(records);
            }
            SortedSet<String> names = new TreeSet<>();
            String prefix = StoreKeys.prefix(name);
            records.keySet().stream().filter(key -> key.startsWith(prefix)).forEach(names::add);
            descendants.forEach(path -> names.add(prefix + path));
            return update(records, names, reader);
        });
    }

    /**
     * Puts a record, or removes it if there is no node. Removes the records of nodes below arrays, too.
     *
     * @param sorted the keys of {@code records}, in which descendants are found quickly
     */
    private static void put(
            Map<String, NodeMetadata> records, SortedSet<String> sorted, String name, @Nullable NodeMetadata found) {
        boolean isBelowArray = false;
        for (String ancestor = StoreKeys.parent(name); !ancestor.isEmpty(); ancestor = StoreKeys.parent(ancestor)) {
            isBelowArray |= records.get(ancestor) instanceof ArrayMetadata;
        }
        if (found == null || found instanceof ArrayMetadata || isBelowArray) {
            // the names that begin with name and a slash: '/' + 1 follows '/' in the order of characters
            SortedSet<String> descendants = sorted.subSet(name + '/', name + (char) ('/' + 1));
            records.keySet().removeAll(descendants);
            descendants.clear();
        }
        if (found == null || isBelowArray) {
            records.remove(name);
            sorted.remove(name);
        } else {
            records.put(name, found);
            sorted.add(name);
        }
    }

    /** Reads the record of a node from its {@code zarr.json}, or from a document of another format. */
    private static Plan<Optional<NodeMetadata>> stored(StoredNode node, @Nullable NodeMetadata older) {
        return Source.stored(node.documentKey())
                .<Optional<NodeMetadata>>read(
                        ByteRange.whole(node.session().options().limits().metadataBytes()),
                        (result, scratch) -> result instanceof ReadResult.Found f
                                ? parsed(node.session(), f.bytes(), older)
                                : Optional.empty())
                .then(stored -> stored.isPresent()
                                || node.session().registry().nodeFormats().isEmpty()
                        ? Plan.done(stored)
                        : node.find()
                                .map(found -> found.filter(f -> !f.isImplied()).map(FoundNode::metadata)));
    }

    /** Returns the record of a document; empty if it is not of Zarr v3; the older record if it is invalid. */
    private static Optional<NodeMetadata> parsed(Session session, Bytes document, @Nullable NodeMetadata older) {
        try {
            Json json = JsonReader.read(document.toArray(), session.options().limits());
            if (!(json instanceof Json.Obj object) || !object.get("zarr_format").equals(Optional.of(Json.of(3)))) {
                return Optional.empty();
            }
            return Optional.of(read(session, object));
        } catch (MetadataException e) {
            return Optional.ofNullable(older);
        }
    }

    /** Returns the record of a document of Zarr v3. */
    private static NodeMetadata read(Session session, Json.Obj document) {
        try {
            return record(
                    new MetadataReader(session.registry(), session.options().limits()).read(document));
        } catch (UnsupportedException e) {
            return unsupported(document, e);
        }
    }
}
