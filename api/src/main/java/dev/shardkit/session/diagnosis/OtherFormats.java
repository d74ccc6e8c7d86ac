package dev.shardkit.session.diagnosis;

import dev.shardkit.registry.FormatChoice;
import dev.shardkit.registry.NamedFormat;
import dev.shardkit.session.Session;
import dev.shardkit.session.StoredNode;
import dev.shardkit.session.search.FoundNode;
import dev.shardkit.session.search.NodeLookup;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.store.ObjectSnapshot;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Finds documents of other formats beside those of opened nodes. Opening a node does not search for them once it has
 * found {@code zarr.json} or a node of Zarr v2, because the search would cost requests.
 *
 * <p>One object serves one walk of the nodes of one store. It remembers what the nodes share, such as documents that
 * the folders above them lack, so it does not see documents that another program adds there during the walk. Not
 * thread-safe.
 */
public final class OtherFormats {
    /** The largest number of keys that a walk remembers; a walk needs those of the folders above the current node. */
    private static final int MAX_REMEMBERED = 1000;

    /** Keys of documents that the folders above visited nodes lack. */
    private final Set<String> absentAbove = new HashSet<>();
    /** Whether the store may have nodes of a format, by the format's name. */
    private final Map<String, Boolean> mayHaveNodes = new HashMap<>();

    /**
     * Returns the names of the other formats, sorted. Searches local stores. Searches remote stores only if the caller
     * chose {@link FormatChoice.Any}.
     *
     * @throws StoreException if a document cannot be read, and the store does not say that it is absent
     */
    public List<String> beside(StoredNode node) {
        Session session = node.session();
        if (!session.isLocal() && !(NamedFormat.choice(session.store()) instanceof FormatChoice.Any)) {
            return List.of();
        }
        Optional<String> ownFormat = session.foreign().map(FoundNode.Foreign::format);
        NodeLookup search = session.search();
        return search.formats().stream()
                .filter(format -> !ownFormat.equals(Optional.of(format.name())) && isPresent(format, search, node))
                .map(Extension::name)
                .sorted()
                .toList();
    }

    /** Returns whether the place has a document of a format. */
    private boolean isPresent(NodeFormat format, NodeLookup search, StoredNode node) {
        Predicate<String> isAbsent = node.session().isLocal() ? key -> isAbsent(key, node) : key -> false;
        try {
            return mayHaveNodes.computeIfAbsent(format.name(), name -> result(search.mayHaveNodes(format), node))
                    && result(search.isStated(format, node.path(), isAbsent), node);
        } catch (UnsupportedException e) {
            return true; // a node with features that Zarr v3 lacks
        } catch (MetadataException | CorruptDataException e) {
            return false; // a file of the same name that is something else
        }
    }

    /** Returns the result of a plan. Most plans need no document: all that they look for are absent. */
    private static boolean result(Plan<Boolean> plan, StoredNode node) {
        return plan instanceof Plan.Done<Boolean> done
                ? done.value()
                : node.session().engine().call(() -> plan, node.reading().quiet());
    }

    /** Returns whether a local store certainly lacks a document. Asking it directly costs less than a read. */
    private boolean isAbsent(String key, StoredNode node) {
        if (absentAbove.contains(key)) {
            return true;
        }
        try {
            Optional<ObjectSnapshot> document = node.store(store -> store.open(key));
            if (document.isPresent()) {
                document.get().close();
                return false;
            }
        } catch (StoreException | IOException e) {
            return false; // the read reports the failure
        }
        if (!StoreKeys.parent(key).equals(node.path())) {
            if (absentAbove.size() == MAX_REMEMBERED) {
                absentAbove.clear();
            }
            absentAbove.add(key);
        }
        return true;
    }
}
