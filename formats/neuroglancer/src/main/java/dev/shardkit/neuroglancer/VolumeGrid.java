package dev.shardkit.neuroglancer;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.Arrays;
import java.util.Optional;

/**
 * The chunks of a scale: the volume, divided in x, y and z. Chunks at the far edges are cut. An immutable value.
 *
 * @param size the size of the volume in voxels
 * @param chunk the size of a chunk in voxels
 * @param offset the position of the first voxel in the coordinates of the volume's space
 */
record VolumeGrid(long[] size, long[] chunk, long[] offset) {
    static final int SPACE = 3;
    /** Chunks are arrays of x, y, z and channel. */
    static final int RANK = SPACE + 1;

    static final String SIZE = "size";
    static final String CHUNK = "chunk_size";
    static final String OFFSET = "voxel_offset";

    private static final int MAX_DIGITS = 18;

    /** Reads the grid from the configuration of a transformer. */
    static VolumeGrid of(Config config) {
        long[] size = lengths(config, SIZE, 1);
        return new VolumeGrid(size, lengths(config, CHUNK, 1), offset(config, size));
    }

    private static long[] offset(Config config, long[] size) {
        if (config.json(OFFSET).isEmpty()) {
            return new long[SPACE];
        }
        long[] offset = lengths(config, OFFSET, -Long.MAX_VALUE);
        for (int d = 0; d < SPACE; d++) {
            if (offset[d] > 0 && offset[d] > Long.MAX_VALUE - size[d]) {
                throw new MetadataException(config.at(OFFSET) + ": expected a volume that ends below 2^63, found "
                        + Arrays.toString(offset));
            }
        }
        return offset;
    }

    /** Reads a list of three integers. */
    static long[] lengths(Config config, String member, long least) {
        long[] lengths = config.requiredIntegers(member, least, Long.MAX_VALUE);
        if (lengths.length != SPACE) {
            throw new MetadataException(
                    config.at(member) + ": expected 3 integers for x, y and z, found " + lengths.length);
        }
        return lengths;
    }

    Json.Obj configuration() {
        return Json.object()
                .with(SIZE, Json.of(size))
                .with(CHUNK, Json.of(chunk))
                .with(OFFSET, Json.of(offset));
    }

    /** Returns the number of chunks in dimension {@code d}. */
    long cells(int d) {
        return (size[d] - 1) / chunk[d] + 1;
    }

    /** Returns the number of chunks, at most {@code most}. */
    long count(long most) {
        long count = 1;
        for (int d = 0; d < SPACE; d++) {
            count = cells(d) > most / count ? most : count * cells(d);
        }
        return count;
    }

    /**
     * Returns the cell of a chunk key such as {@code scale/1/2/3/0}; empty if {@code key} is not the key of a chunk of
     * this volume.
     */
    Optional<Cell> cell(String key) {
        String rest = key;
        long[] at = new long[RANK];
        for (int d = RANK - 1; d >= 0; d--) {
            String name = StoreKeys.name(rest);
            if (name.isEmpty() || name.length() > MAX_DIGITS || !name.chars().allMatch(c -> c >= '0' && c <= '9')) {
                return Optional.empty();
            }
            at[d] = Long.parseLong(name);
            if (!Long.toString(at[d]).equals(name) || at[d] >= (d < SPACE ? cells(d) : 1)) {
                return Optional.empty();
            }
            if (d > 0 && rest.length() == name.length()) {
                return Optional.empty();
            }
            rest = StoreKeys.parent(rest);
        }
        return Optional.of(new Cell(rest, at));
    }

    /** Returns the name of the file of a chunk: {@code 0-64_0-64_0-64}. */
    String fileName(long[] cell) {
        StringBuilder name = new StringBuilder();
        for (int d = 0; d < SPACE; d++) {
            long begin = cell[d] * chunk[d];
            long end = begin + Math.min(chunk[d], size[d] - begin);
            name.append(d > 0 ? "_" : "").append(offset[d] + begin).append('-').append(offset[d] + end);
        }
        return name.toString();
    }

    /**
     * The place of a chunk.
     *
     * @param path the path of the scale
     * @param at the coordinates of the chunk in the grid
     */
    record Cell(String path, long[] at) {}

    @Override
    public boolean equals(Object other) {
        return other instanceof VolumeGrid g
                && Arrays.equals(size, g.size)
                && Arrays.equals(chunk, g.chunk)
                && Arrays.equals(offset, g.offset);
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
