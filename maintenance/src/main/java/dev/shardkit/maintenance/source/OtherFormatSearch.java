package dev.shardkit.maintenance.source;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.session.InternalAccess;
import dev.shardkit.session.StoredNode;
import dev.shardkit.session.diagnosis.OtherFormats;
import java.util.List;

/**
 * Finds other formats beside the nodes of a walk, as {@link ZarrNode#otherFormats} does for one node. It looks once for
 * what the nodes share, such as documents in the folders above them. Not thread-safe.
 */
public final class OtherFormatSearch {
    private final OtherFormats formats = new OtherFormats();

    /**
     * Returns the names of other formats beside a node; see {@link ZarrNode#otherFormats}. All nodes must be in the
     * same store.
     */
    public List<String> beside(ZarrNode node) {
        return formats.beside(
                node instanceof ZarrArray array
                        ? ArrayInternals.of(array).node()
                        : InternalAccess.inside(node, StoredNode.class));
    }
}
