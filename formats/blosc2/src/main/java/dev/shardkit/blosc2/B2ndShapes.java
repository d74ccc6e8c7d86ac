package dev.shardkit.blosc2;

import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.CorruptDataException;
import java.util.List;
import java.util.Optional;

/**
 * The shapes of an array in a Blosc2 frame, as its metalayer {@code b2nd} describes them (README_B2ND_METALAYER.rst). A
 * chunk consists of blocks, which are compressed one by one. Immutable.
 *
 * @param array the shape of the array
 * @param chunk the shape of a chunk
 * @param block the shape of a block
 * @param elementBytes the size of an element in bytes
 */
record B2ndShapes(long[] array, long[] chunk, long[] block, int elementBytes) {
    /** The number of members before the data type: version, rank, and the shapes of array, chunk and block. */
    static final int MEMBERS = 5;

    private static final String NAME = "b2nd";
    /** The former name of the metalayer. It has no data type. */
    private static final String FORMER_NAME = "caterva";

    /** Returns whether a metalayer of this name describes an array. */
    static boolean isArrayMetalayer(String name) {
        return name.equals(NAME) || name.equals(FORMER_NAME);
    }

    /** Returns the members of the metalayer; empty if the frame is not an array. */
    static Optional<List<?>> readMembers(FrameHeader frame) {
        return Optional.ofNullable(frame.metalayers().get(NAME))
                .or(() -> Optional.ofNullable(frame.metalayers().get(FORMER_NAME)))
                .map(layer -> new MsgPack(layer).readValue(List.class, "a list"));
    }

    /** Parses the members of the metalayer. */
    static B2ndShapes parse(List<?> members, int elementBytes) {
        if (members.size() < MEMBERS) {
            throw new CorruptDataException("b2nd: expected at least " + MEMBERS + " members, found " + members.size());
        }
        long rank = MsgPack.cast(members.get(1), Long.class, "the number of dimensions");
        return new B2ndShapes(
                parseLengths(members.get(2), rank, 0, Long.MAX_VALUE, "shape"),
                parseLengths(members.get(3), rank, 1, Integer.MAX_VALUE, "chunk shape"),
                parseLengths(members.get(4), rank, 1, Integer.MAX_VALUE, "block shape"),
                elementBytes);
    }

    private static long[] parseLengths(Object value, long rank, long min, long max, String name) {
        List<?> list = MsgPack.cast(value, List.class, "a list of lengths");
        if (list.size() != rank) {
            throw new CorruptDataException(
                    "b2nd: expected " + rank + " lengths of the " + name + ", found " + list.size());
        }
        long[] lengths = new long[list.size()];
        for (int d = 0; d < lengths.length; d++) {
            lengths[d] = MsgPack.cast(list.get(d), Long.class, "a length");
            // A dimension of length 0 is stored with chunks and blocks of length 0, which are treated as 1.
            lengths[d] = lengths[d] == 0 ? min : lengths[d];
            if (lengths[d] < min || lengths[d] > max) {
                throw new CorruptDataException("b2nd: expected a " + name + " of " + min + " to " + max
                        + " in dimension " + d + ", found " + lengths[d]);
            }
        }
        return lengths;
    }

    /** Returns the number of chunks in each dimension. */
    long[] chunkCounts() {
        long[] counts = new long[array.length];
        for (int d = 0; d < counts.length; d++) {
            counts[d] = array[d] == 0 ? 0 : (array[d] - 1) / chunk[d] + 1;
        }
        return counts;
    }

    /** Returns the number of blocks of a chunk in each dimension. */
    long[] blocksPerChunk() {
        long[] counts = new long[chunk.length];
        for (int d = 0; d < counts.length; d++) {
            counts[d] = (chunk[d] + block[d] - 1) / block[d];
        }
        return counts;
    }

    /** Returns the shape of a padded chunk, which consists of whole blocks. */
    long[] paddedChunkShape() {
        long[] shape = blocksPerChunk();
        for (int d = 0; d < shape.length; d++) {
            shape[d] = Math.multiplyExact(shape[d], block[d]);
        }
        return shape;
    }

    /** Returns the size of the array in bytes. */
    long arrayBytes() {
        return Math.multiplyExact(Shapes.count(array), elementBytes);
    }

    /** Returns the size of a block in bytes. */
    long blockBytes() {
        return Math.multiplyExact(Shapes.count(block), elementBytes);
    }
}
