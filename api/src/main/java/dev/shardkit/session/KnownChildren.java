package dev.shardkit.session;

import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Entry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The children of a group: those in consolidated metadata, or those that the store lists. Immutable, thread-safe. */
public final class KnownChildren {
    private final StoredNode node;
    /** The descendants in the consolidated metadata of the group or of a group above it; null without such metadata. */
    private final @Nullable Map<String, NodeMetadata> known;

    public KnownChildren(StoredNode node, @Nullable Map<String, NodeMetadata> known) {
        this.node = node;
        this.known = known;
    }

    /** Returns the metadata of the descendant at {@code relative} if the group need not read its document. */
    public Optional<NodeMetadata> known(String relative) {
        return trusted().flatMap(k -> Optional.ofNullable(k.get(relative)));
    }

    /** The consolidated metadata, if the group uses them in place of reading its descendants. */
    private Optional<Map<String, NodeMetadata>> trusted() {
        boolean stated = node.session()
                .foreign()
                .filter(f -> f.children().from() == NodeFormat.Children.From.DOCUMENT)
                .isPresent();
        return node.session().isNear() && !stated ? Optional.empty() : Optional.ofNullable(known);
    }

    /** Returns the known descendants below {@code prefix}, by their paths below it. */
    public Map<String, NodeMetadata> knownBelow(String prefix) {
        Map<String, NodeMetadata> below = new LinkedHashMap<>();
        known().forEach((p, m) -> {
            if (p.startsWith(prefix)) {
                below.put(p.substring(prefix.length()), m);
            }
        });
        return below;
    }

    /**
     * Returns the names of the direct children, sorted.
     *
     * @throws UnsupportedException if there are no consolidated metadata and the store does not support listing
     */
    public SortedSet<String> names() {
        return trusted().isPresent() ? new TreeSet<>(knownNames()) : listed();
    }

    private SortedSet<String> listed() {
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
        candidates.removeIf(name -> !NodePath.isName(name) || !isThere(name));
        return candidates;
    }

    /** Checks whether a child exists. A child that a local store refuses to open is listed; opening it tells why. */
    private boolean isThere(String name) {
        try {
            return node.descendant(node.session(), name).exists();
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
}
