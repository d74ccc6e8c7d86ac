package dev.shardkit.blosc2;

import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.CorruptDataException;
import java.util.List;
import java.util.Optional;

/**
 * The shapes of an array in the metalayer of a frame (README_B2ND_METALAYER.rst). Immutable.
 *
 * @param array the shape of the array
 * @param chunk the shape of a chunk
 * @param block the shape of a block
 * @param elementBytes the size of an element in bytes
 */
record B2ndShapes(long[] array, long[] chunk, long[] block, int elementBytes) {
    /** The members before the data type. */
    static final int MEMBERS = 5;

    private static final String NAME = "b2nd";
    /** The name before Blosc2 took over the format; it has no data type. */
    private static final String FORMER_NAME = "caterva";

    /** Returns whether a metalayer of this name describes an array. */
    static boolean isOwn(String name) {
        return name.equals(NAME) || name.equals(FORMER_NAME);
    }

    /** Returns the members of the metalayer; empty if the frame is no array. */
    static Optional<List<?>> members(FrameHeader frame) {
        return Optional.ofNullable(frame.metalayers().get(NAME))
                .or(() -> Optional.ofNullable(frame.metalayers().get(FORMER_NAME)))
                .map(layer -> new MsgPack(layer).value(List.class, "a list"));
    }

    static B2ndShapes of(List<?> members, int elementBytes) {
        if (members.size() < MEMBERS) {
            throw new CorruptDataException("b2nd: expected at least " + MEMBERS + " members, found " + members.size());
        }
        long rank = MsgPack.cast(members.get(1), Long.class, "the number of dimensions");
        return new B2ndShapes(
                lengths(members.get(2), rank, 0, Long.MAX_VALUE, "shape"),
                lengths(members.get(3), rank, 1, Integer.MAX_VALUE, "chunk shape"),
                lengths(members.get(4), rank, 1, Integer.MAX_VALUE, "block shape"),
                elementBytes);
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
        long[] cells = new long[array.length];
        for (int d = 0; d < cells.length; d++) {
            cells[d] = array[d] == 0 ? 0 : (array[d] - 1) / chunk[d] + 1;
        }
        return cells;
    }

    /** Returns the number of blocks of a chunk in each dimension. */
    long[] blocks() {
        long[] blocks = new long[chunk.length];
        for (int d = 0; d < blocks.length; d++) {
            blocks[d] = (chunk[d] + block[d] - 1) / block[d];
        }
        return blocks;
    }

    /** Returns the shape of a chunk with its padding: whole blocks. */
    long[] padded() {
        long[] padded = blocks();
        for (int d = 0; d < padded.length; d++) {
            padded[d] = Math.multiplyExact(padded[d], block[d]);
        }
        return padded;
    }

    /** Returns the size of the array in bytes. */
    long bytes() {
        return Math.multiplyExact(Shapes.count(array), elementBytes);
    }

    /** Returns the size of a block in bytes. */
    long blockBytes() {
        return Math.multiplyExact(Shapes.count(block), elementBytes);
    }
}
