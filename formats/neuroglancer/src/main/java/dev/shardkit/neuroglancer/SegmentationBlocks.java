package dev.shardkit.neuroglancer;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.kernel.Words;

/**
 * The blocks of a channel of a chunk; those at the far edges are cut. Immutable.
 *
 * @param size the size of the chunk in voxels
 * @param block the size of a block in voxels
 * @param elementSize the size of an element in bytes, 4 or 8
 */
record SegmentationBlocks(long[] size, long[] block, int elementSize) {
    static SegmentationBlocks of(ChunkType type, long[] block) {
        return new SegmentationBlocks(
                type.shape(), block, type.dataType().elementSize().orElseThrow());
    }

    private long blocks(int d) {
        return (size[d] - 1) / block[d] + 1;
    }

    /** Returns the number of blocks, at most that of voxels. */
    long count() {
        return blocks(0) * blocks(1) * blocks(2);
    }

    /** Returns the size of a decoded channel in bytes. */
    int channelBytes() {
        return Math.toIntExact(size[0] * size[1] * size[2] * elementSize);
    }

    /** Returns the number of a voxel in its block. */
    long position(long x, long y, long z) {
        return x + block[0] * (y + block[1] * z);
    }

    /** Returns the part of a block that lies in the chunk. */
    Cut cut(long number) {
        long bx = number % blocks(0);
        long by = number / blocks(0) % blocks(1);
        long bz = number / blocks(0) / blocks(1);
        return new Cut(
                this,
                bx * block[0],
                by * block[1],
                bz * block[2],
                (int) Math.min(block[0], size[0] - bx * block[0]),
                (int) Math.min(block[1], size[1] - by * block[1]),
                (int) Math.min(block[2], size[2] - bz * block[2]));
    }

    /**
     * The part of a block that lies in the chunk.
     *
     * @param x its length
     */
    record Cut(SegmentationBlocks blocks, long fromX, long fromY, long fromZ, int x, int y, int z) {
        /** Returns the offset in bytes of a voxel of the block in a decoded channel. */
        int offset(int atX, int atY, int atZ) {
            long[] size = blocks.size;
            return (int) ((fromX + atX + size[0] * (fromY + atY + size[1] * (fromZ + atZ))) * blocks.elementSize);
        }
    }

    /**
     * Returns the elements of a block. Voxels outside the chunk repeat the first one, so that they add no value.
     *
     * @param elements all channels, little-endian and in Fortran order
     */
    long[] values(byte[] elements, int channel, long number) {
        Cut cut = cut(number);
        int at = channel * channelBytes();
        long[] values = new long[Math.toIntExact(block[0] * block[1] * block[2])];
        java.util.Arrays.fill(values, value(elements, at + cut.offset(0, 0, 0)));
        for (int z = 0; z < cut.z(); z++) {
            for (int y = 0; y < cut.y(); y++) {
                for (int x = 0; x < cut.x(); x++) {
                    values[(int) position(x, y, z)] = value(elements, at + cut.offset(x, y, z));
                }
            }
        }
        return values;
    }

    private long value(byte[] elements, int at) {
        return elementSize == Integer.BYTES
                ? Integer.toUnsignedLong(Words.int32(elements, at))
                : Words.int64(elements, at);
    }
}
