package dev.shardkit.cli.print;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.maintenance.check.Repair;
import dev.shardkit.maintenance.publish.AllOrNothing;
import dev.shardkit.maintenance.publish.UnfinishedPlaces;
import dev.shardkit.maintenance.source.OtherFormatSearch;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Writes;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Formats descriptions of nodes that several commands print. */
public final class NodeText {
    private NodeText() {}

    /** Returns shape, data type and chunks as a JSON object. */
    public static Json.Obj summary(ZarrArray array) {
        Json.Obj members =
                Json.object().with("data_type", array.dataType().json()).with("shape", Json.of(array.shape()));
        Json storedShape =
                ChunkShapes.find(array).map(Json.class::cast).orElseGet(() -> Json.of(array.storedChunkShape()));
        return array.isSharded()
                ? members.with("shard_shape", storedShape).with("chunk_shape", Json.of(array.chunkShape()))
                : members.with("chunk_shape", storedShape);
    }

    /**
     * Returns the names of other formats in which nodes exist at the same location. If the store fails, passes a note
     * to {@code notes} and returns no names.
     */
    public static List<String> otherFormats(ZarrNode node, Consumer<String> notes) {
        return otherFormats(node, new OtherFormatSearch(), notes);
    }

    /**
     * Returns what {@link #otherFormats(ZarrNode, Consumer)} returns, for one of many nodes.
     *
     * @param search the search that all nodes of the walk share
     */
    static List<String> otherFormats(ZarrNode node, OtherFormatSearch search, Consumer<String> notes) {
        try {
            return search.beside(node);
        } catch (StoreException e) {
            notes.accept(
                    "note: whether " + node.location() + " also holds other formats is not known: " + e.getMessage());
            return List.of();
        }
    }

    /** Describes unfinished work at a node; empty if there is none or the store fails. */
    public static Optional<String> describeUnfinished(ZarrNode node) {
        try {
            if (node instanceof ZarrArray array) {
                return Repair.unfinished(array);
            }
            ZarrGroup group = (ZarrGroup) node;
            boolean canHave =
                    group.nodeFormat().isEmpty() && AllOrNothing.store(group).can(Writes.class);
            return canHave ? UnfinishedPlaces.describe(group) : Optional.empty();
        } catch (ZarrException e) {
            return Optional.empty(); // verify reports the failure
        }
    }

    /** Returns shape, data type and chunks as a line of text. */
    public static String toLine(ZarrArray array) {
        String storedShape = ChunkShapes.find(array).map(ChunkShapes::toText).orElseGet(() -> {
            String grid = array.metadata().chunkGrid().name();
            return (grid.equals("regular") ? "" : grid + " from ") + Arrays.toString(array.storedChunkShape());
        });
        return array.dataType().name() + " " + Arrays.toString(array.shape()) + ", "
                + (array.isSharded()
                        ? "shards " + storedShape + " of inner chunks " + Arrays.toString(array.chunkShape())
                        : "chunks " + storedShape);
    }

    /** Returns a count with a noun, in the plural unless the count is one. */
    public static String count(long count, String noun) {
        return count(count, noun, noun + "s");
    }

    /** Returns a count with a noun in the singular or the plural. */
    public static String count(long count, String singular, String plural) {
        return count + " " + (count == 1 ? singular : plural);
    }
}
