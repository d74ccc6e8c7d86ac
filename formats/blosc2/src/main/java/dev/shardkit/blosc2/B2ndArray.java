package dev.shardkit.blosc2;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Optional;

/**
 * The metalayer of an array (README_B2ND_METALAYER.rst). Immutable.
 *
 * @param shape the shape of the array
 * @param chunks the shape of a chunk
 * @param blocks the shape of a block
 * @param type the type of elements
 */
record B2ndArray(long[] shape, long[] chunks, long[] blocks, ElementType type) {
    private static final String NAME = "b2nd";
    /** The name before Blosc2 took over the format; it has no data type. */
    private static final String FORMER_NAME = "caterva";

    private static final int MEMBERS = 5;

    /**
     * Finds the metalayer of a frame.
     *
     * @param typesize the size of an element in bytes
     */
    static B2ndArray of(FrameHeader frame, int typesize) {
        byte[] layer = Optional.ofNullable(frame.metalayers().get(NAME))
                .or(() -> Optional.ofNullable(frame.metalayers().get(FORMER_NAME)))
                .orElseThrow(() -> new UnsupportedException("blosc2 frame: expected an array (metalayer b2nd or"
                        + " caterva), found metalayers "
                        + frame.metalayers().keySet()));
        List<?> members = new MsgPack(layer).value(List.class, "a list");
        if (members.size() < MEMBERS) {
            throw new CorruptDataException("b2nd: expected at least " + MEMBERS + " members, found " + members.size());
        }
        long rank = MsgPack.cast(members.get(1), Long.class, "the number of dimensions");
        long[] shape = lengths(members.get(2), rank, 0, Long.MAX_VALUE, "shape");
        long[] chunks = lengths(members.get(3), rank, 1, Integer.MAX_VALUE, "chunk shape");
        long[] blocks = lengths(members.get(4), rank, 1, Integer.MAX_VALUE, "block shape");
        ElementType type = members.size() < MEMBERS + 2
                ? ElementType.bits(typesize)
                : ElementType.numpy(
                        MsgPack.cast(members.get(MEMBERS), Long.class, "the format of the data type"),
                        MsgPack.cast(members.get(MEMBERS + 1), String.class, "a data type"),
                        typesize);
        return new B2ndArray(shape, chunks, blocks, type);
    }

    private static long[] lengths(Object json, long rank, long least, long most, String what) {
        List<?> list = MsgPack.cast(json, List.class, "a list of lengths");
        if (list.size() != rank) {
            throw new CorruptDataException(
                    "b2nd: expected " + rank + " lengths of the " + what + ", found " + list.size());
        }
        long[] lengths = new long[list.size()];
        for (int d = 0; d < lengths.length; d++) {
            lengths[d] = MsgPack.cast(list.get(d), Long.class, "a length");
            // A dimension of length 0 has chunks and blocks of length 0.
            lengths[d] = lengths[d] == 0 ? least : lengths[d];
            if (lengths[d] < least || lengths[d] > most) {
                throw new CorruptDataException("b2nd: expected a " + what + " of " + least + " to " + most
                        + " in dimension " + d + ", found " + lengths[d]);
            }
        }
        return lengths;
    }

    /** Returns the number of chunks in each dimension. */
    long[] cells() {
        long[] cells = new long[shape.length];
        for (int d = 0; d < cells.length; d++) {
            cells[d] = shape[d] == 0 ? 0 : (shape[d] - 1) / chunks[d] + 1;
        }
        return cells;
    }

    /** Returns the document of Zarr v3. */
    Json.Obj document() {
        Json.Obj codec = Json.object()
                .with(Blosc2Codec.BLOCK_SHAPE, Json.of(blocks))
                .with(Blosc2Codec.ENDIAN, Json.of(type.endian()));
        return Json.object()
                .with("zarr_format", Json.of(3))
                .with("node_type", Json.of("array"))
                .with("shape", Json.of(shape))
                .with("data_type", type.type())
                .with("chunk_grid", Json.extension("regular", Json.object().with("chunk_shape", Json.of(chunks))))
                .with(
                        "chunk_key_encoding",
                        Json.extension("default", Json.object().with("separator", Json.of("/"))))
                .with("fill_value", type.fill())
                .with("codecs", new Json.Arr(List.of(Json.extension(Blosc2Codec.NAME, codec))))
                .with("attributes", Json.object());
    }
}
