package dev.shardkit;

import dev.shardkit.json.AttributeMapper;
import dev.shardkit.metadata.GroupMetadata;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.session.Consolidated;
import dev.shardkit.session.FoundNode;
import dev.shardkit.session.Session;
import dev.shardkit.session.StoredNodes;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
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
 * <p>In a near store, children are found by listing, so the result is current. In a far store, the group's consolidated
 * metadata are trusted if there are any, and may be older than the nodes; without them, the store is listed if it can
 * list. Creating, changing or deleting a node through this library also updates the consolidated metadata of the groups
 * above it in the same store.
 */
public final class ZarrGroup implements ZarrNode {
    private final Session session;
    private final String path;
    private final GroupMetadata metadata;
    /** The descendants that consolidated metadata name, of this group or one above; null if there are none. */
    private final @Nullable Map<String, NodeMetadata> known;

    ZarrGroup(Session session, String path, GroupMetadata metadata) {
        this(session, path, metadata, metadata.consolidated().orElse(null));
    }

    /** A group of which a group above it knows the descendants. */
    private ZarrGroup(Session session, String path, GroupMetadata metadata, @Nullable Map<String, NodeMetadata> known) {
        this.session = session;
        this.path = path;
        this.metadata = metadata;
        this.known = known;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public String location() {
        return session.location(path);
    }

    /** The metadata document, parsed. */
    public GroupMetadata metadata() {
        return metadata;
    }

    /** Opens the child, or further descendant, at {@code relative}; empty if there definitely is none. */
    public Optional<ZarrNode> find(String relative) {
        NodePath.of(relative);
        Session below = session.below();
        Optional<NodeMetadata> child = believed().flatMap(k -> Optional.ofNullable(k.get(relative)));
        String full = Session.key(path, relative);
        if (child.isPresent() && child.get() instanceof GroupMetadata g) {
            return Optional.of(new ZarrGroup(below, full, g, knownBelow(relative + "/")));
        }
        return child.isPresent() ? Optional.of(Zarr.node(child.get(), below, full)) : Zarr.find(below, full);
    }

    /** What a group above says of the descendants, where they are not looked at themselves. */
    private Optional<Map<String, NodeMetadata>> believed() {
        return session.isNear() ? Optional.empty() : Optional.ofNullable(known);
    }

    private Map<String, NodeMetadata> knownBelow(String prefix) {
        Map<String, NodeMetadata> below = new LinkedHashMap<>();
        known().forEach((p, node) -> {
            if (p.startsWith(prefix)) {
                below.put(p.substring(prefix.length()), node);
            }
        });
        return below;
    }

    /** Opens the array at {@code relative}. */
    public ZarrArray array(String relative) {
        return Zarr.array(node(relative), session, Session.key(path, relative));
    }

    /** Opens the group at {@code relative}. */
    public ZarrGroup group(String relative) {
        return Zarr.group(node(relative), session, Session.key(path, relative));
    }

    private ZarrNode node(String relative) {
        return find(relative).orElseGet(() -> Zarr.open(session, Session.key(path, relative)));
    }

    /** The direct children by name, sorted; throws what opening any of them throws. */
    public SortedMap<String, ZarrNode> children() {
        SortedMap<String, ZarrNode> children = new TreeMap<>();
        for (String name : childNames()) {
            find(name).ifPresent(node -> children.put(name, node));
        }
        return children;
    }

    /**
     * The names of the direct children, sorted.
     *
     * @throws dev.shardkit.spi.error.UnsupportedException if there is no consolidated metadata and the store cannot
     *     list
     */
    public SortedSet<String> childNames() {
        SortedSet<String> names = new TreeSet<>();
        if (believed().isPresent()) {
            names.addAll(knownNames());
            return names;
        }
        NodeFormat.Children children = session.foreign()
                .map(FoundNode.Foreign::children)
                .orElseGet(() -> new NodeFormat.Children(path, List.of()));
        SortedSet<String> candidates = new TreeSet<>();
        try {
            session.list(children.prefix(), e -> candidate(e, children).ifPresent(candidates::add));
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

    /** What a local store refuses to open is no reason to hide it, nor its siblings: opening it says why. */
    private boolean isThere(String name) {
        try {
            return StoredNodes.exists(session, Session.key(path, name));
        } catch (StoreException e) {
            if (session.isNear()) {
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

    /** The child that an entry of a listing may stand for; what every read refuses may be a link to one. */
    private static Optional<String> candidate(Entry entry, NodeFormat.Children children) {
        if (entry.kind() != Entry.Kind.OBJECT) {
            return Optional.of(entry.name());
        }
        return children.suffixes().stream()
                .filter(entry.name()::endsWith)
                .map(suffix -> entry.name().substring(0, entry.name().length() - suffix.length()))
                .findFirst();
    }

    /** Creates an array below this group; groups in between are created where they are missing. */
    public ZarrArray createArray(String relative, ArraySpec spec, Zarr.Existing existing) {
        session.refuseForeign(path);
        createParents(relative);
        return Zarr.create(session.below(), Session.key(path, relative), spec, existing);
    }

    /** As {@link #createArray}, without waiting. */
    public CompletableFuture<ZarrArray> createArrayAsync(String relative, ArraySpec spec, Zarr.Existing existing) {
        return session.async(() -> createArray(relative, spec, existing));
    }

    /** Creates a group below this group; groups in between are created where they are missing. */
    public ZarrGroup createGroup(String relative, Json.Obj attributes, Zarr.Existing existing) {
        session.refuseForeign(path);
        createParents(relative);
        return Zarr.createGroup(session.below(), Session.key(path, relative), attributes, existing);
    }

    /** As {@link #createGroup}, without waiting. */
    public CompletableFuture<ZarrGroup> createGroupAsync(String relative, Json.Obj attributes, Zarr.Existing existing) {
        return session.async(() -> createGroup(relative, attributes, existing));
    }

    private void createParents(String relative) {
        NodePath.of(relative);
        // a path that the store refuses is refused before any of it is made
        StoredNodes.exists(session, Session.key(path, relative));
        for (int slash = relative.indexOf('/'); slash >= 0; slash = relative.indexOf('/', slash + 1)) {
            String parent = Session.key(path, relative.substring(0, slash));
            if (Zarr.find(session.below(), parent).isEmpty()) {
                Zarr.createGroup(session.below(), parent, Json.object(), Zarr.Existing.REFUSE);
            }
        }
    }

    /**
     * Puts the metadata of all descendants into this group's document, as it is now, and gives the group as it is then.
     */
    public ZarrGroup consolidate() {
        session.refuseForeign(path);
        Map<String, NodeMetadata> all = new LinkedHashMap<>();
        collect(listed(), "", all);
        GroupMetadata changed = session.changeMetadata(path, metadata, now -> now.withConsolidated(all));
        return new ZarrGroup(session, path, changed);
    }

    /** Takes the metadata of the descendants out of this group's document, and gives the group as it is then. */
    public ZarrGroup withoutConsolidated() {
        GroupMetadata changed = session.changeMetadata(path, metadata, GroupMetadata::withoutConsolidated);
        return new ZarrGroup(session, path, changed);
    }

    /** The same group, which finds its children by listing the store, whatever consolidated metadata say. */
    public ZarrGroup listed() {
        return new ZarrGroup(session, path, metadata, null);
    }

    private static void collect(ZarrGroup group, String prefix, Map<String, NodeMetadata> all) {
        group.children().forEach((name, node) -> {
            if (node instanceof ZarrArray a) {
                all.put(prefix + name, a.metadata());
            } else if (node instanceof ZarrGroup g) {
                all.put(prefix + name, g.metadata.withoutConsolidated());
                collect(g, prefix + name + "/", all);
            }
        });
    }

    @Override
    public Json.Obj attributes() {
        return metadata.attributes();
    }

    @Override
    public Optional<String> nodeFormat() {
        return session.foreign().map(FoundNode.Foreign::format);
    }

    @Override
    public <T> T attributes(Class<T> type) {
        return AttributeMapper.map(metadata.attributes(), type, location());
    }

    @Override
    public ZarrGroup withAttributes(Json.Obj attributes) {
        GroupMetadata changed = session.changeMetadata(path, metadata, now -> now.withAttributes(attributes));
        Consolidated.changed(session, path, changed);
        return new ZarrGroup(session, path, changed);
    }

    @Override
    public void delete() {
        session.deleteNode(path);
        Consolidated.forget(session, path);
    }

    @Override
    public void close() {
        session.close();
    }

    @Override
    public String toString() {
        return "group " + location();
    }
}
