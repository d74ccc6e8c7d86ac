package dev.shardkit.neuroglancer;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.Arrays;
import java.util.Optional;

/**
 * The grid of the chunks of a scale, in x, y and z. Chunks at the upper edges are clipped. Immutable.
 *
 * @param size the size of the volume in voxels
 * @param chunk the size of a chunk in voxels
 * @param offset the position of the first voxel in the coordinates of the volume's space
 */
record VolumeGrid(long[] size, long[] chunk, long[] offset) {
    /** The number of dimensions of space. */
    static final int SPACE = 3;
    /** The rank of chunks, whose dimensions are x, y, z and channel. */
    static final int RANK = SPACE + 1;

    static final String SIZE = "size";
    static final String CHUNK = "chunk_size";
    static final String OFFSET = "voxel_offset";

    /** The number of digits that always fit into a long. */
    private static final int MAX_DIGITS = 18;

    /** Reads the grid from the configuration of a transformer. */
    static VolumeGrid parse(Config config) {
        long[] size = readLengths(config, SIZE, 1);
        return new VolumeGrid(size, readLengths(config, CHUNK, 1), readOffset(config, size));
    }

    private static long[] readOffset(Config config, long[] size) {
        if (config.json(OFFSET).isEmpty()) {
            return new long[SPACE];
        }
        long[] offset = readLengths(config, OFFSET, -Long.MAX_VALUE);
        for (int d = 0; d < SPACE; d++) {
            if (offset[d] > 0 && offset[d] > Long.MAX_VALUE - size[d]) {
                throw new MetadataException(config.at(OFFSET) + ": expected a volume that ends below 2^63, found "
                        + Arrays.toString(offset));
            }
        }
        return offset;
    }

    /** Reads a list of three integers. */
    static long[] readLengths(Config config, String member, long min) {
        long[] lengths = config.requiredIntegers(member, min, Long.MAX_VALUE);
        if (lengths.length != SPACE) {
            throw new MetadataException(
                    config.at(member) + ": expected 3 integers for x, y and z, found " + lengths.length);
        }
        return lengths;
    }

    /** Returns the grid as {@link #parse} reads it. */
    Json.Obj configuration() {
        return Json.object()
                .with(SIZE, Json.of(size))
                .with(CHUNK, Json.of(chunk))
                .with(OFFSET, Json.of(offset));
    }

    /** Returns the number of chunks along a dimension. */
    long chunkCount(int dimension) {
        return (size[dimension] - 1) / chunk[dimension] + 1;
    }

    /** Returns the number of chunks, limited to {@code maxCount}. */
    long limitedCount(long maxCount) {
        long count = 1;
        for (int d = 0; d < SPACE; d++) {
            count = chunkCount(d) > maxCount / count ? maxCount : count * chunkCount(d);
        }
        return count;
    }

    /**
     * Returns the cell of a chunk key such as {@code scale/1/2/3/0}; empty if {@code key} is not the key of a chunk of
     * this volume.
     */
    Optional<Cell> parseKey(String key) {
        String remaining = key;
        long[] indexes = new long[RANK];
        for (int d = RANK - 1; d >= 0; d--) {
            String name = StoreKeys.name(remaining);
            if (name.isEmpty() || name.length() > MAX_DIGITS || !name.chars().allMatch(c -> c >= '0' && c <= '9')) {
                return Optional.empty();
            }
            indexes[d] = Long.parseLong(name);
            boolean hasLeadingZeros = !Long.toString(indexes[d]).equals(name);
            if (hasLeadingZeros || indexes[d] >= (d < SPACE ? chunkCount(d) : 1)) {
                return Optional.empty();
            }
            if (d > 0 && remaining.length() == name.length()) {
                return Optional.empty();
            }
            remaining = StoreKeys.parent(remaining);
        }
        return Optional.of(new Cell(remaining, indexes));
    }

    /** Returns the name of the file of a chunk, such as {@code 0-64_0-64_0-64}: its range of voxels in x, y and z. */
    String fileName(long[] cell) {
        StringBuilder name = new StringBuilder();
        for (int d = 0; d < SPACE; d++) {
            long start = cell[d] * chunk[d];
            long end = start + Math.min(chunk[d], size[d] - start);
            name.append(d > 0 ? "_" : "").append(offset[d] + start).append('-').append(offset[d] + end);
        }
        return name.toString();
    }

    /**
     * The position of a chunk.
     *
     * @param path the path of the scale
     * @param indexes the coordinates of the chunk in the grid
     */
    record Cell(String path, long[] indexes) {}

    @Override
    public boolean equals(Object object) {
        return object instanceof VolumeGrid grid
                && Arrays.equals(size, grid.size)
                && Arrays.equals(chunk, grid.chunk)
                && Arrays.equals(offset, grid.offset);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * Arrays.hashCode(size) + Arrays.hashCode(chunk)) + Arrays.hashCode(offset);
    }

    @Override
    public String toString() {
        return configuration().toString();
    }
}
