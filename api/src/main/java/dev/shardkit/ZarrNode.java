package dev.shardkit;

import dev.shardkit.spi.json.Json;
import java.util.Optional;

/**
 * An array or a group. Thread-safe. Closing one that was opened by its location closes its store.
 *
 * <p>What was closed is not used any more: reads and writes are refused with {@link IllegalStateException}, through all
 * handles that were made of the closed one, and of a group through the nodes that were opened through it. Closing such
 * a node closes that node alone. Closing twice does no harm. What was deleted is not written to any more.
 */
public sealed interface ZarrNode extends AutoCloseable permits ZarrArray, ZarrGroup {
    /** The path within the store, of an array that below which its chunks lie; empty for the root. */
    String path();

    /** Where it is, for people. */
    String location();

    /**
     * The name of the node format (Zarr v2, say) by whose documents the node is described; empty for {@code zarr.json}.
     * Of such a node elements can be written, but neither its document nor children.
     */
    Optional<String> nodeFormat();

    /** The attributes; numbers are as they were written. */
    Json.Obj attributes();

    /**
     * The attributes as an object of a Java or Kotlin class (by Jackson with its Kotlin module).
     *
     * @throws dev.shardkit.spi.error.MetadataException if they do not fit
     */
    <T> T attributes(Class<T> type);

    /**
     * Replaces the attributes and gives the node as it is then; all else of its metadata is as it is stored, whatever
     * this handle knows.
     *
     * @throws dev.shardkit.spi.error.MetadataException if the node was deleted meanwhile
     */
    ZarrNode withAttributes(Json.Obj attributes);

    /**
     * Removes the node with everything below it. Handles that were made of this one refuse to write afterwards. A write
     * of another handle or process that is under way finishes the shards that it has locked, for which this call waits,
     * and then fails; what it has stored is removed too. Stores without locks keep no such order.
     *
     * @throws dev.shardkit.spi.error.StoreException if a lock is not free within a minute
     */
    void delete();

    @Override
    void close();
}
