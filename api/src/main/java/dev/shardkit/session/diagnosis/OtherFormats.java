package dev.shardkit.session.diagnosis;

import dev.shardkit.registry.FormatChoice;
import dev.shardkit.registry.NamedFormat;
import dev.shardkit.session.Session;
import dev.shardkit.session.StoredNode;
import dev.shardkit.session.search.FoundNode;
import dev.shardkit.session.search.NodeLookup;
import dev.shardkit.spi.Extension;
import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import java.util.List;
import java.util.Optional;

/**
 * Finds documents of other formats beside those of an opened node. Opening a node does not search for them once it has
 * found {@code zarr.json} or a node of Zarr v2, because the search would cost requests. Stateless.
 */
public final class OtherFormats {
    private OtherFormats() {}

    /**
     * Returns the names of the other formats, sorted. Searches local stores. Searches remote stores only if the caller
     * chose {@link FormatChoice.Any}.
     *
     * @throws dev.shardkit.spi.error.StoreException if a document cannot be read, and the store does not say that it is
     *     absent
     */
    public static List<String> beside(StoredNode node) {
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
    private static boolean isPresent(NodeFormat format, NodeLookup search, StoredNode node) {
        try {
            return node.session()
                    .engine()
                    .call(
                            () -> search.isStated(format, node.path()),
                            node.reading().quiet());
        } catch (UnsupportedException e) {
            return true; // a node with features that Zarr v3 lacks
        } catch (MetadataException | CorruptDataException e) {
            return false; // a file of the same name that is something else
        }
    }
}
