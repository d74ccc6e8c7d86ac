package dev.shardkit;

import dev.shardkit.metadata.GroupMetadata;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.BlockingStore;
import dev.shardkit.store.Entry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A group: a node with attributes and children. Thread-safe.
 *
 * <p>Children are found through consolidated metadata where the group has them, otherwise by listing the store, which
 * far
 * stores cannot do.
 */
public final class ZarrGroup implements ZarrNode {
  private final Session session;
  private final String path;
  private final GroupMetadata metadata;
  private final Optional<Map<String, NodeMetadata>> known;

  ZarrGroup(Session session, String path, GroupMetadata metadata) {
    this(session, path, metadata, metadata.consolidated());
  }

  /** A group of which a group above it knows the descendants. */
  private ZarrGroup(
      Session session, String path, GroupMetadata metadata, Optional<Map<String, NodeMetadata>> known) {
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
    Optional<NodeMetadata> child = known.flatMap(k -> Optional.ofNullable(k.get(relative)));
    String full = Session.key(path, relative);
    if (child.isPresent() && child.get() instanceof GroupMetadata g) {
      return Optional.of(new ZarrGroup(session, full, g, Optional.of(knownBelow(relative + "/"))));
    }
    return child.isPresent() ? Optional.of(Zarr.node(child.get(), session, full)) : Zarr.find(session, full);
  }

  private Map<String, NodeMetadata> knownBelow(String prefix) {
    Map<String, NodeMetadata> below = new LinkedHashMap<>();
    known.orElseGet(Map::of).forEach((p, node) -> {
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
   * @throws dev.shardkit.spi.error.UnsupportedException if there is no consolidated metadata and the store cannot list
   */
  public SortedSet<String> childNames() {
    SortedSet<String> names = new TreeSet<>();
    if (known.isPresent()) {
      known.get().keySet().stream().filter(p -> !p.contains("/")).forEach(names::add);
      return names;
    }
    NodeFormat.Children children = session.foreign().map(FoundNode.Foreign::children)
        .orElseGet(() -> new NodeFormat.Children(path, List.of()));
    SortedSet<String> candidates = new TreeSet<>();
    try {
      session.list(children.prefix(), e -> candidate(e, children).ifPresent(candidates::add));
    } catch (UnsupportedException e) {
      throw new UnsupportedException(e.fact() + ", and the group has no consolidated metadata", e);
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
      return session.exists(Session.key(path, name));
    } catch (StoreException e) {
      if (session.store() instanceof BlockingStore) {
        return true;
      }
      throw e;
    }
  }

  /** The child that an entry of a listing may stand for; what every read refuses may be a link to one. */
  private static Optional<String> candidate(Entry entry, NodeFormat.Children children) {
    if (entry.kind() != Entry.Kind.OBJECT) {
      return Optional.of(entry.name());
    }
    return children.suffixes().stream().filter(entry.name()::endsWith)
        .map(suffix -> entry.name().substring(0, entry.name().length() - suffix.length())).findFirst();
  }

  /** Creates an array below this group; groups in between are created where they are missing. */
  public ZarrArray createArray(String relative, ArraySpec spec, Zarr.Existing existing) {
    session.refuseForeign(path);
    createParents(relative);
    return Zarr.create(session, Session.key(path, relative), spec, existing);
  }

  /** Creates a group below this group; groups in between are created where they are missing. */
  public ZarrGroup createGroup(String relative, Json.Obj attributes, Zarr.Existing existing) {
    session.refuseForeign(path);
    createParents(relative);
    return Zarr.createGroup(session, Session.key(path, relative), attributes, existing);
  }

  private void createParents(String relative) {
    NodePath.of(relative);
    session.exists(Session.key(path, relative)); // a path that the store refuses is refused before any of it is made
    for (int slash = relative.indexOf('/'); slash >= 0; slash = relative.indexOf('/', slash + 1)) {
      String parent = Session.key(path, relative.substring(0, slash));
      if (Zarr.find(session, parent).isEmpty()) {
        Zarr.createGroup(session, parent, Json.object(), Zarr.Existing.REFUSE);
      }
    }
  }

  /**
   * Puts the metadata of all descendants into this group's document, as it is now, and gives the group as it is then.
   */
  public ZarrGroup consolidate() {
    session.refuseForeign(path);
    Map<String, NodeMetadata> all = new LinkedHashMap<>();
    collect(new ZarrGroup(session, path, metadata.withoutConsolidated()), "", all);
    GroupMetadata changed = metadata.withConsolidated(all);
    session.putMetadata(path, changed);
    return new ZarrGroup(session, path, changed);
  }

  /** Takes the metadata of the descendants out of this group's document, and gives the group as it is then. */
  public ZarrGroup withoutConsolidated() {
    GroupMetadata changed = session.changeMetadata(path, metadata, GroupMetadata::withoutConsolidated);
    return new ZarrGroup(session, path, changed);
  }

  /** The same group, which finds its children by listing the store, whatever consolidated metadata say. */
  public ZarrGroup listed() {
    return new ZarrGroup(session, path, metadata, Optional.empty());
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
    GroupMetadata changed = metadata.withAttributes(attributes);
    session.putMetadata(path, changed);
    return new ZarrGroup(session, path, changed);
  }

  @Override
  public void delete() {
    session.delete(path);
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
