package dev.shardkit;

import dev.shardkit.attributes.AttributeMapper;
import dev.shardkit.metadata.GroupMetadata;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.metadata.UnsupportedNode;
import dev.shardkit.session.InternalAccess;
import dev.shardkit.session.StoredNode;
import dev.shardkit.session.consolidated.ConsolidatedUpdates;
import dev.shardkit.session.consolidated.KnownChildren;
import dev.shardkit.session.consolidated.NodeRecords;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A group: a node with attributes and children. Thread-safe.
 *
 * <p>In a local store, the group lists its children, so the result is current. In a remote store, it trusts
 * consolidated metadata if there are any; they may be older than the nodes. Without them, it lists the store if the
 * store supports listing. Creating, changing or deleting a node through this library also updates the consolidated
 * metadata of the groups above it: those in the same store and, for local files, those in the folders above the store.
 */
public final class ZarrGroup extends ZarrNode {
    static {
        InternalAccess.open(ZarrGroup.class, group -> group.node);
    }

    private final GroupMetadata metadata;
    private final KnownChildren children;

    ZarrGroup(StoredNode node, GroupMetadata metadata) {
        this(
                node,
                metadata,
                metadata.consolidated().map(KnownChildren.KnownNodes::of).orElse(null));
    }

    private ZarrGroup(StoredNode node, GroupMetadata metadata, KnownChildren.@Nullable KnownNodes knownNodes) {
        this(node, metadata, new KnownChildren(node, knownNodes));
    }

    private ZarrGroup(StoredNode node, GroupMetadata metadata, KnownChildren children) {
        super(node);
        this.metadata = metadata;
        this.children = children;
    }

    @Override
    public GroupMetadata metadata() {
        return metadata;
    }

    /**
     * Opens the descendant at {@code relative}; empty if there is none. A failed request is an error, not an empty
     * result.
     */
    public Optional<ZarrNode> find(String relative) {
        NodePath.of(relative); // throws if it is malformed
        StoredNode descendant = below(relative);
        Optional<NodeMetadata> child = children.known(relative);
        if (child.isPresent() && child.get() instanceof GroupMetadata groupMetadata) {
            return Optional.of(new ZarrGroup(descendant, groupMetadata, children.below(relative)));
        }
        return child.isPresent()
                ? Optional.of(Zarr.node(child.get(), descendant))
                : Zarr.find(descendant)
                        .map(found -> children.ignoresConsolidated() && found instanceof ZarrGroup group
                                ? group.ignoringConsolidated()
                                : found);
    }

    /** Returns the descendant at {@code relative}, in a session that closes with its own handle or with this group. */
    private StoredNode below(String relative) {
        return node.descendant(node.session().below(), relative);
    }

    /** Returns the descendant at {@code relative}, in this group's session. */
    StoredNode descendant(String relative) {
        return node.descendant(node.session(), relative);
    }

    /** Opens the array at {@code relative}. */
    public ZarrArray array(String relative) {
        return array(open(relative), descendant(relative));
    }

    /** Opens the group at {@code relative}. */
    public ZarrGroup group(String relative) {
        return group(open(relative), descendant(relative));
    }

    private ZarrNode open(String relative) {
        return find(relative).orElseGet(() -> Zarr.open(descendant(relative)));
    }

    /** Opens all direct children and returns them by name, sorted. Fails if opening a child fails. */
    public SortedMap<String, ZarrNode> children() {
        SortedMap<String, ZarrNode> children = new TreeMap<>();
        for (String name : childNames()) {
            find(name).ifPresent(child -> children.put(name, child));
        }
        return children;
    }

    /**
     * Returns the names of the direct children, sorted.
     *
     * @throws dev.shardkit.spi.error.UnsupportedException if there are no consolidated metadata and the store does not
     *     support listing
     */
    public SortedSet<String> childNames() {
        return children.names();
    }

    /** Creates an array below this group, and the missing groups between them. */
    public ZarrArray createArray(String relative, ArraySpec spec, IfExists existing) {
        node.refuseForeign();
        createParents(relative);
        return NewNodes.array(below(relative), spec, existing);
    }

    /** Asynchronous form of {@link #createArray}. */
    public CompletableFuture<ZarrArray> createArrayAsync(String relative, ArraySpec spec, IfExists existing) {
        return node.session().async(() -> createArray(relative, spec, existing));
    }

    /** Creates a group below this group, and the missing groups between them. */
    public ZarrGroup createGroup(String relative, Json.Obj attributes, IfExists existing) {
        node.refuseForeign();
        createParents(relative);
        return NewNodes.group(below(relative), attributes, existing);
    }

    /** Asynchronous form of {@link #createGroup}. */
    public CompletableFuture<ZarrGroup> createGroupAsync(String relative, Json.Obj attributes, IfExists existing) {
        return node.session().async(() -> createGroup(relative, attributes, existing));
    }

    private void createParents(String relative) {
        NodePath.of(relative).checkedNew();
        descendant(relative).exists(); // if the store refuses the path, this fails before any group is created
        for (int slash = relative.indexOf('/'); slash >= 0; slash = relative.indexOf('/', slash + 1)) {
            StoredNode parent = below(relative.substring(0, slash));
            if (Zarr.find(parent).isEmpty()) {
                NewNodes.group(parent, Json.object(), IfExists.REFUSE);
            }
        }
    }

    /**
     * Reads the metadata of all descendants by path ({@code a/b}), from their own documents. A descendant that needs a
     * missing plug-in is an {@link dev.shardkit.metadata.UnsupportedNode}.
     *
     * @throws ZarrException if a document is invalid or cannot be read
     */
    public Map<String, NodeMetadata> descendantMetadata() {
        return Descendants.of(ignoringConsolidated());
    }

    /**
     * Stores the metadata of all descendants in this group's document, also of those that need a missing plug-in. Reads
     * each descendant twice, to find the nodes that other writers changed after the first time.
     *
     * @return the group with its new metadata
     */
    public ZarrGroup consolidate() {
        node.refuseForeign();
        Map<String, NodeMetadata> metadataByPath = descendantMetadata();
        GroupMetadata changed = node.changeMetadata(metadata, stored -> stored.withConsolidated(metadataByPath));
        return new ZarrGroup(node, ConsolidatedUpdates.recheck(node, changed, descendantMetadata()));
    }

    /**
     * Removes the consolidated metadata from this group's document.
     *
     * @return the group with its new metadata
     */
    public ZarrGroup removeConsolidated() {
        GroupMetadata changed = node.changeMetadata(metadata, GroupMetadata::withoutConsolidated);
        return new ZarrGroup(node, changed);
    }

    /**
     * Returns this group without its consolidated metadata: it finds children by listing the store, and so do the
     * groups below it.
     */
    public ZarrGroup ignoringConsolidated() {
        return new ZarrGroup(node, metadata, children.ignoringConsolidated());
    }

    @Override
    public ZarrGroup replaceAttributes(Json.Obj attributes) {
        return changeAttributes(stored -> attributes);
    }

    @Override
    public ZarrGroup changeAttributes(UnaryOperator<Json.Obj> change) {
        GroupMetadata changed = changing(
                change,
                guarded -> node.changeMetadata(
                        metadata, stored -> stored.withAttributes(guarded.apply(stored.attributes()))));
        ConsolidatedUpdates.changed(node);
        return new ZarrGroup(node, changed);
    }

    @Override
    public ZarrGroup replaceAttributes(Object attributes) {
        return replaceAttributes(AttributeMapper.attributes(attributes));
    }

    @Override
    public ZarrGroup mergeAttributes(Object members) {
        return changeAttributes(merging(members));
    }

    @Override
    public String toString() {
        return "group " + location();
    }

    /** Collects the metadata of all descendants of a group. Used once, by one thread. */
    private static final class Descendants {
        private final Map<String, NodeMetadata> metadataByPath = new LinkedHashMap<>();

        /** Returns the metadata by path below {@code group}. A node that needs a missing plug-in keeps its document. */
        static Map<String, NodeMetadata> of(ZarrGroup group) {
            Descendants descendants = new Descendants();
            descendants.collect(group, "");
            return descendants.metadataByPath;
        }

        private void collect(ZarrGroup group, String prefix) {
            for (String name : group.childNames()) {
                Optional<ZarrNode> child;
                try {
                    child = group.find(name);
                } catch (UnsupportedException e) {
                    unsupported(group.descendant(name), prefix + name, e);
                    continue;
                }
                if (child.isPresent() && child.get() instanceof ZarrArray array) {
                    metadataByPath.put(prefix + name, array.metadata());
                } else if (child.isPresent() && child.get() instanceof ZarrGroup subgroup) {
                    metadataByPath.put(prefix + name, subgroup.metadata().withoutConsolidated());
                    collect(subgroup, StoreKeys.prefix(prefix + name));
                }
            }
        }

        private void unsupported(StoredNode node, String path, UnsupportedException reason) {
            Json.Obj document = node.call(node::document)
                    .filter(json -> json.get("zarr_format").equals(Optional.of(Json.of(3))))
                    .orElseThrow(() -> reason);
            UnsupportedNode unsupportedNode = NodeRecords.unsupported(document, reason);
            metadataByPath.put(path, unsupportedNode);
            if (document.get("node_type").equals(Optional.of(Json.of("group")))) {
                collect(new ZarrGroup(node, GroupMetadata.of(unsupportedNode.attributes())), StoreKeys.prefix(path));
            }
        }
    }
}
