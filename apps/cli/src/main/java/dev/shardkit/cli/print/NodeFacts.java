package dev.shardkit.cli.print;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.maintenance.check.Repair;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Facts about nodes that several commands print. */
public final class NodeFacts {
    private NodeFacts() {}

    /** Returns shape, type and chunks as a document. */
    public static Json.Obj summary(ZarrArray array) {
        Json.Obj facts =
                Json.object().with("data_type", array.dataType().json()).with("shape", Json.of(array.shape()));
        Json stored = ChunkShapes.of(array).map(Json.class::cast).orElseGet(() -> Json.of(array.storedChunkShape()));
        return array.isSharded()
                ? facts.with("shard_shape", stored).with("chunk_shape", Json.of(array.chunkShape()))
                : facts.with("chunk_shape", stored);
    }

    /** Returns the names of other formats beside a node; none, and a note, if they cannot be found out. */
    public static List<String> otherFormats(ZarrNode node, Consumer<String> notes) {
        try {
            return node.otherFormats();
        } catch (StoreException e) {
            notes.accept(
                    "note: whether " + node.location() + " also holds other formats is not known: " + e.getMessage());
            return List.of();
        }
    }

    /** Describes an interrupted change of an array; empty if there is none, or it cannot be found out. */
    public static Optional<String> unfinished(ZarrArray array) {
        try {
            return Repair.unfinished(array);
        } catch (ZarrException e) {
            return Optional.empty(); // verify says why
        }
    }

    /** Returns shape, type and chunks in one line. */
    public static String line(ZarrArray array) {
        String stored = ChunkShapes.of(array).map(ChunkShapes::text).orElseGet(() -> {
            String grid = array.metadata().chunkGrid().name();
            return (grid.equals("regular") ? "" : grid + " from ") + Arrays.toString(array.storedChunkShape());
        });
        return array.dataType().name() + " " + Arrays.toString(array.shape()) + ", "
                + (array.isSharded()
                        ? "shards " + stored + " of inner chunks " + Arrays.toString(array.chunkShape())
                        : "chunks " + stored);
    }

    /** Returns {@code count} with a word, in the plural unless it is one. */
    public static String count(long count, String word) {
        return count(count, word, word + "s");
    }

    /** Returns {@code count} with a word in its singular or its plural. */
    public static String count(long count, String one, String many) {
        return count + " " + (count == 1 ? one : many);
    }
}
