package dev.shardkit;

import dev.shardkit.metadata.GroupMetadata;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.session.AttributeMapper;
import dev.shardkit.session.Consolidated;
import dev.shardkit.session.FoundNode;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Entry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A group: a node with attributes and children. Thread-safe.
 *
 * <p>In a local store, the group lists its children, so the result is current. In a remote store, it trusts
 * consolidated metadata if there are any; they may be older than the nodes. Without them, it lists the store if the
 * store supports listing. Creating, changing or deleting a node through this library also updates the consolidated
 * metadata of the groups above it: those in the same store and, for local files, those in the folders above the store.
 */
public final class ZarrGroup implements ZarrNode {
    private final StoredNode node;
    private final GroupMetadata metadata;
    /**
     * The descendants in the consolidated metadata of this group or of a group above it; null without such metadata.
     */
    private final @Nullable Map<String, NodeMetadata> known;

    ZarrGroup(StoredNode node, GroupMetadata metadata) {
        this(node, metadata, metadata.consolidated().orElse(null));
    }

    private ZarrGroup(StoredNode node, GroupMetadata metadata, @Nullable Map<String, NodeMetadata> known) {
        this.node = node;
        this.metadata = metadata;
        this.known = known;
    }

    @Override
    public String path() {
        return node.path();
    }

    @Override
    public String location() {
        return node.location();
    }

    /** Returns the parsed metadata document. */
    public GroupMetadata metadata() {
        return metadata;
    }

    /**
     * Opens the descendant at {@code relative}; empty if there is none. A failed request is an error, not an empty
     * result.
     */
    public Optional<ZarrNode> find(String relative) {
        NodePath.of(relative);
        StoredNode below = below(relative);
        Optional<NodeMetadata> child = trusted().flatMap(k -> Optional.ofNullable(k.get(relative)));
        if (child.isPresent() && child.get() instanceof GroupMetadata g) {
            return Optional.of(new ZarrGroup(below, g, knownBelow(StoreKeys.prefix(relative))));
        }
        return child.isPresent() ? Optional.of(Zarr.node(child.get(), below)) : Zarr.find(below);
    }

    /** The descendant at {@code relative}, in a session that closes with its own handle or with this group. */
    private StoredNode below(String relative) {
        return node.descendant(node.session().below(), relative);
    }

    /** The descendant at {@code relative}, in this group's session. */
    StoredNode descendant(String relative) {
        return node.descendant(node.session(), relative);
    }

    /** The consolidated metadata, if this group uses them in place of reading its descendants. */
    private Optional<Map<String, NodeMetadata>> trusted() {
        boolean stated = node.session()
                .foreign()
                .filter(f -> f.children().from() == NodeFormat.Children.From.DOCUMENT)
                .isPresent();
        return node.session().isNear() && !stated ? Optional.empty() : Optional.ofNullable(known);
    }

    private Map<String, NodeMetadata> knownBelow(String prefix) {
        Map<String, NodeMetadata> below = new LinkedHashMap<>();
        known().forEach((p, m) -> {
            if (p.startsWith(prefix)) {
                below.put(p.substring(prefix.length()), m);
            }
        });
        return below;
    }

    /** Opens the array at {@code relative}. */
    public ZarrArray array(String relative) {
        return Zarr.array(open(relative), descendant(relative));
    }

    /** Opens the group at {@code relative}. */
    public ZarrGroup group(String relative) {
        return Zarr.group(open(relative), descendant(relative));
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
        SortedSet<String> names = new TreeSet<>();
        if (trusted().isPresent()) {
            names.addAll(knownNames());
            return names;
        }
        NodeFormat.Children children = node.session()
                .foreign()
                .map(FoundNode.Foreign::children)
                .orElseGet(() -> new NodeFormat.Children(node.path(), List.of()));
        SortedSet<String> candidates = new TreeSet<>();
        try {
            node.session().list(children.prefix(), e -> candidate(e, children).ifPresent(candidates::add));
        } catch (UnsupportedException e) {
            if (known == null) {
                throw new UnsupportedException(e.fact() + ", and the group has no consolidated metadata", e);
            }
            candidates.addAll(knownNames());
        }
        for (String name : candidates) {
            if (NodePath.isName(name) && isThere(name)) {
                names.add(name);
            }
        }
        return names;
    }

    /** Checks whether a child exists. A child that a local store refuses to open is listed; opening it tells why. */
    private boolean isThere(String name) {
        try {
            return descendant(name).exists();
        } catch (StoreException e) {
            if (node.session().isNear()) {
                return true;
            }
            throw e;
        }
    }

    private Map<String, NodeMetadata> known() {
        return known == null ? Map.of() : known;
    }

    private List<String> knownNames() {
        return known().keySet().stream().filter(p -> !p.contains("/")).toList();
    }

    /** The name of the child that an entry of a listing may belong to. A link that reads refuse may lead to a child. */
    private static Optional<String> candidate(Entry entry, NodeFormat.Children children) {
        if (entry.kind() != Entry.Kind.OBJECT) {
            return Optional.of(entry.name());
        }
        return children.suffixes().stream()
                .filter(entry.name()::endsWith)
                .map(suffix -> entry.name().substring(0, entry.name().length() - suffix.length()))
                .findFirst();
    }

    /** Creates an array below this group, and the missing groups between them. */
    public ZarrArray createArray(String relative, ArraySpec spec, Zarr.Existing existing) {
        node.refuseForeign();
        createParents(relative);
        return Zarr.create(below(relative), spec, existing);
    }

    /** Asynchronous form of {@link #createArray}. */
    public CompletableFuture<ZarrArray> createArrayAsync(String relative, ArraySpec spec, Zarr.Existing existing) {
        return node.session().async(() -> createArray(relative, spec, existing));
    }

    /** Creates a group below this group, and the missing groups between them. */
    public ZarrGroup createGroup(String relative, Json.Obj attributes, Zarr.Existing existing) {
        node.refuseForeign();
        createParents(relative);
        return Zarr.createGroup(below(relative), attributes, existing);
    }

    /** Asynchronous form of {@link #createGroup}. */
    public CompletableFuture<ZarrGroup> createGroupAsync(String relative, Json.Obj attributes, Zarr.Existing existing) {
        return node.session().async(() -> createGroup(relative, attributes, existing));
    }

    private void createParents(String relative) {
        NodePath.of(relative);
        descendant(relative).exists(); // if the store refuses the path, this fails before any group is created
        for (int slash = relative.indexOf('/'); slash >= 0; slash = relative.indexOf('/', slash + 1)) {
            StoredNode parent = below(relative.substring(0, slash));
            if (Zarr.find(parent).isEmpty()) {
                Zarr.createGroup(parent, Json.object(), Zarr.Existing.REFUSE);
            }
        }
    }

    /**
     * Reads the metadata of all descendants by path ({@code a/b}), from their own documents. A descendant that needs a
     * missing plug-in is an {@link dev.shardkit.metadata.UnsupportedNode}.
     *
     * @throws ZarrException if a document is invalid or cannot be read
     */
    public Map<String, NodeMetadata> descendants() {
        return Descendants.of(listed());
    }

    /**
     * Stores the metadata of all descendants in this group's document, also of those that need a missing plug-in.
     *
     * @return the group with its new metadata
     */
    public ZarrGroup consolidate() {
        node.refuseForeign();
        Map<String, NodeMetadata> all = descendants();
        GroupMetadata changed = node.changeMetadata(metadata, now -> now.withConsolidated(all));
        return new ZarrGroup(node, changed);
    }

    /**
     * Removes the consolidated metadata from this group's document.
     *
     * @return the group with its new metadata
     */
    public ZarrGroup withoutConsolidated() {
        GroupMetadata changed = node.changeMetadata(metadata, GroupMetadata::withoutConsolidated);
        return new ZarrGroup(node, changed);
    }

    /** Returns this group without its consolidated metadata: it finds children by listing the store. */
    public ZarrGroup listed() {
        return new ZarrGroup(node, metadata, null);
    }

    @Override
    public Json.Obj attributes() {
        return metadata.attributes();
    }

    @Override
    public Optional<String> nodeFormat() {
        return node.session().foreign().map(FoundNode.Foreign::format);
    }

    @Override
    public <T> T attributes(Class<T> type) {
        return AttributeMapper.map(metadata.attributes(), type, location());
    }

    @Override
    public ZarrGroup withAttributes(Json.Obj attributes) {
        GroupMetadata changed = node.changeMetadata(metadata, now -> now.withAttributes(attributes));
        Consolidated.changed(node, changed);
        return new ZarrGroup(node, changed);
    }

    @Override
    public ZarrGroup withAttributes(Object attributes) {
        return withAttributes(AttributeMapper.attributes(attributes));
    }

    @Override
    public void delete() {
        node.deleteNode();
        Consolidated.forget(node);
    }

    @Override
    public void close() {
        node.session().close();
    }

    @Override
    public String toString() {
        return "group " + location();
    }
}
