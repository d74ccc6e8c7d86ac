package dev.shardkit.cli;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.json.Json;
import java.util.Arrays;

/** Facts of nodes that several commands show. */
final class NodeFacts {
    private NodeFacts() {}

    /** The data type as metadata has it: a name, or an object where it has a configuration. */
    static Json dataType(DataType type) {
        return type.configuration().members().isEmpty()
                ? Json.of(type.name())
                : Json.object().with("name", Json.of(type.name())).with("configuration", type.configuration());
    }

    /** Shape, type and chunks as a document. */
    static Json.Obj summary(ZarrArray array) {
        Json.Obj facts =
                Json.object().with("data_type", dataType(array.dataType())).with("shape", Json.of(array.shape()));
        if (array.isSharded()) {
            facts = facts.with("shard_shape", Json.of(array.storedChunkShape()));
        }
        return facts.with("chunk_shape", Json.of(array.chunkShape()));
    }

    /** Shape, type and chunks in a line. */
    static String line(ZarrArray array) {
        String grid = array.metadata().chunkGrid().name();
        String unequal = grid.equals("regular") ? "" : grid + " from ";
        return array.dataType().name() + " " + Arrays.toString(array.shape()) + ", "
                + (array.isSharded()
                        ? "shards " + unequal + Arrays.toString(array.storedChunkShape()) + " of inner chunks "
                        : "chunks " + unequal)
                + Arrays.toString(array.chunkShape());
    }

    /** {@code count} with a word, in the plural where it is not one. */
    static String count(long count, String word) {
        return count(count, word, word + "s");
    }

    /** {@code count} with a word in its singular or its plural. */
    static String count(long count, String one, String many) {
        return count + " " + (count == 1 ? one : many);
    }
}
