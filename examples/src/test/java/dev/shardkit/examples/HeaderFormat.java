package dev.shardkit.examples;

import dev.shardkit.spi.NodeFormat;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/**
 * A node format with a binary header, {@code header.bin}: {@code GRID}, then for each dimension the length of the array
 * and of a chunk, as little-endian 32-bit numbers. Elements are {@code uint8} without codecs.
 */
public final class HeaderFormat implements NodeFormat {
    static final String NAME = "header.bin";
    static final int MAGIC = 0x44495247;
    private static final int MAX_BYTES = Integer.BYTES + 32 * 2 * Integer.BYTES;

    @Override
    public String name() {
        return "org.example.header";
    }

    @Override
    public Plan<Optional<Node>> find(String path, Documents documents) {
        String key = path.isEmpty() ? NAME : path + "/" + NAME;
        return documents.bytes(key, MAX_BYTES).map(found -> found.map(header -> Node.at(path, zarrJson(header))));
    }

    private static Json.Obj zarrJson(Bytes header) {
        ByteBuffer words = header.buffer().order(ByteOrder.LITTLE_ENDIAN);
        if (words.remaining() % 8 != 4 || words.getInt() != MAGIC) {
            throw new MetadataException(NAME + ": expected GRID and two lengths for each dimension, found "
                    + header.size() + " bytes that differ");
        }
        int rank = words.remaining() / 8;
        long[] shape = new long[rank];
        long[] chunks = new long[rank];
        for (int d = 0; d < rank; d++) {
            shape[d] = Integer.toUnsignedLong(words.getInt());
            chunks[d] = Integer.toUnsignedLong(words.getInt());
        }
        Json.Obj grid = Json.object().with("chunk_shape", Json.of(chunks));
        return Json.object()
                .with("zarr_format", Json.of(3))
                .with("node_type", Json.of("array"))
                .with("shape", Json.of(shape))
                .with("data_type", Json.of("uint8"))
                .with(
                        "chunk_grid",
                        Json.object().with("name", Json.of("regular")).with("configuration", grid))
                .with("chunk_key_encoding", Json.object().with("name", Json.of("default")))
                .with("fill_value", Json.of(0))
                .with("codecs", new Json.Arr(List.of(Json.object().with("name", Json.of("bytes")))));
    }
}
