package dev.shardkit.session.consolidated;

import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.metadata.NodePath;
import dev.shardkit.session.StoredNode;
import dev.shardkit.session.search.FoundNode;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Entry;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the children of a group, in consolidated metadata if there are any, otherwise by listing the store. Immutable,
 * thread-safe.
 */
public final class KnownChildren {
    private final StoredNode node;
    /** The descendants in the consolidated metadata of the group or of a group above it; null without such metadata. */
    private final @Nullable KnownNodes known;

    private final boolean ignoresConsolidated;

    public KnownChildren(StoredNode node, @Nullable KnownNodes known) {
        this(node, known, false);
    }

    private KnownChildren(StoredNode node, @Nullable KnownNodes known, boolean ignoresConsolidated) {
        this.node = node;
        this.known = known;
        this.ignoresConsolidated = ignoresConsolidated;
    }

    /**
     * Returns these children as listings of the store find them. In a format whose documents list the children, these
     * documents are the only source, so nothing changes.
     */
    public KnownChildren ignoringConsolidated() {
        return new KnownChildren(node, listsInDocument() ? known : null, true);
    }

    /** Returns whether {@link #ignoringConsolidated} has created these children. */
    public boolean ignoresConsolidated() {
        return ignoresConsolidated;
    }

    /**
     * The nodes below a path in consolidated metadata. They are sorted, so a walk of all groups takes time in
     * proportion to the nodes. Immutable.
     *
     * @param nodes the nodes by path, below the group that holds the metadata
     * @param prefix the path with a slash at its end; empty for that group
     */
    public record KnownNodes(NavigableMap<String, NodeMetadata> nodes, String prefix) {
        /** Returns all nodes of consolidated metadata. */
        public static KnownNodes of(Map<String, NodeMetadata> consolidated) {
            return new KnownNodes(new TreeMap<>(consolidated), "");
        }

        /** Returns the nodes below the node at {@code relative}. */
        KnownNodes below(String relative) {
            return new KnownNodes(nodes, prefix + StoreKeys.prefix(relative));
        }

        Optional<NodeMetadata> get(String relative) {
            return Optional.ofNullable(nodes.get(prefix + relative));
        }

        /** Returns the names of the direct children, sorted. */
        SortedSet<String> names() {
            SortedSet<String> names = new TreeSet<>();
            String key = nodes.ceilingKey(prefix);
            while (key != null && key.startsWith(prefix)) {
                int slash = key.indexOf('/', prefix.length());
                if (slash < 0) {
                    names.add(key.substring(prefix.length()));
                }
                // skips the descendants of a child: '/' + 1 follows '/' in the order of characters
                key = slash < 0 ? nodes.higherKey(key) : nodes.ceilingKey(key.substring(0, slash) + (char) ('/' + 1));
            }
            return names;
        }
    }

    /** Returns the metadata of the descendant at {@code relative}; empty if its document must be read instead. */
    public Optional<NodeMetadata> known(String relative) {
        return trusted().flatMap(k -> k.get(relative));
    }

    /**
     * Returns the consolidated metadata if the group uses them in place of the descendants' documents. A group in a
     * local store reads the documents, which is cheap and never stale.
     */
    private Optional<KnownNodes> trusted() {
        return node.session().isLocal() && !listsInDocument() ? Optional.empty() : Optional.ofNullable(known);
    }

    /** Returns whether the group is of a format whose documents list the children. */
    private boolean listsInDocument() {
        return node.session()
                .foreign()
                .filter(f -> f.children().from() == NodeFormat.Children.From.DOCUMENT)
                .isPresent();
    }

    /** Returns the known descendants of the descendant at {@code relative}; null without consolidated metadata. */
    public @Nullable KnownNodes below(String relative) {
        return known == null ? null : known.below(relative);
    }

    /**
     * Returns the names of the direct children, sorted.
     *
     * @throws UnsupportedException if there are no consolidated metadata and the store does not support listing
     */
    public SortedSet<String> names() {
        return trusted().map(KnownNodes::names).orElseGet(this::listNames);
    }

    private SortedSet<String> listNames() {
        NodeFormat.Children children = node.session()
                .foreign()
                .map(FoundNode.Foreign::children)
                .orElseGet(() -> new NodeFormat.Children(node.path(), List.of()));
        SortedSet<String> candidates = new TreeSet<>();
        try {
            node.session()
                    .list(children.prefix(), entry -> candidate(entry, children).ifPresent(candidates::add));
        } catch (UnsupportedException e) {
            if (known == null) {
                throw new UnsupportedException(
                        e.fact()
                                + ", and the group has no consolidated metadata; run ZarrGroup.consolidate where the"
                                + " data can be written, or open its arrays by their paths",
                        e);
            }
            candidates.addAll(known.names());
        }
        candidates.removeIf(name -> !NodePath.isName(name) || !childExists(name));
        return candidates;
    }

    /**
     * Returns whether a child exists. A child that a local store refuses to open counts as existing: opening it reports
     * the reason.
     */
    private boolean childExists(String name) {
        try {
            return node.descendant(node.session(), name).exists();
        } catch (StoreException e) {
            if (node.session().isLocal()) {
                return true;
            }
            throw e;
        }
    }

    /**
     * Returns the name of the child that an entry of a listing may belong to. A symbolic link that reads refuse may
     * lead to a child, so it is a candidate.
     */
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
