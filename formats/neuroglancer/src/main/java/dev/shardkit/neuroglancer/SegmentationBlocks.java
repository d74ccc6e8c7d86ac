package dev.shardkit.neuroglancer;

import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.bytes.Words;

/**
 * The grid of blocks into which compressed segmentation divides each channel of a chunk. Blocks at the upper edges are
 * clipped. Immutable.
 *
 * @param size the size of the chunk in voxels
 * @param block the size of a block in voxels
 * @param elementSize the size of an element in bytes, 4 or 8
 */
record SegmentationBlocks(long[] size, long[] block, int elementSize) {
    /** Returns the blocks of chunks of a type. */
    static SegmentationBlocks of(ChunkType type, long[] block) {
        return new SegmentationBlocks(
                type.shape(), block, type.dataType().elementSize().orElseThrow());
    }

    private long blockCount(int dimension) {
        return (size[dimension] - 1) / block[dimension] + 1;
    }

    /** Returns the number of blocks. */
    long totalCount() {
        return blockCount(0) * blockCount(1) * blockCount(2);
    }

    /** Returns the size of a decoded channel in bytes. */
    int channelBytes() {
        return Math.toIntExact(size[0] * size[1] * size[2] * elementSize);
    }

    /** Returns the index of a voxel in its block. */
    long indexInBlock(long x, long y, long z) {
        return x + block[0] * (y + block[1] * z);
    }

    /** Returns the part of a block that lies inside the chunk. */
    ClippedBlock clip(long number) {
        long blockX = number % blockCount(0);
        long blockY = number / blockCount(0) % blockCount(1);
        long blockZ = number / blockCount(0) / blockCount(1);
        return new ClippedBlock(
                this,
                blockX * block[0],
                blockY * block[1],
                blockZ * block[2],
                (int) Math.min(block[0], size[0] - blockX * block[0]),
                (int) Math.min(block[1], size[1] - blockY * block[1]),
                (int) Math.min(block[2], size[2] - blockZ * block[2]));
    }

    /**
     * The part of a block that lies inside the chunk.
     *
     * @param blocks the blocks of the channel
     * @param fromX the origin of the block in the chunk along x
     * @param fromY the origin along y
     * @param fromZ the origin along z
     * @param x the length of the part along x
     * @param y the length along y
     * @param z the length along z
     */
    record ClippedBlock(SegmentationBlocks blocks, long fromX, long fromY, long fromZ, int x, int y, int z) {
        /** Returns the offset in bytes of a voxel of the block in a decoded channel. */
        int offset(int atX, int atY, int atZ) {
            long[] size = blocks.size;
            return (int) ((fromX + atX + size[0] * (fromY + atY + size[1] * (fromZ + atZ))) * blocks.elementSize);
        }
    }

    /**
     * Returns the elements of a block. Voxels outside the chunk repeat the first voxel, so that they add no value to
     * the table.
     *
     * @param elements all channels, little-endian and in Fortran order
     */
    long[] valuesOf(byte[] elements, int channel, long number) {
        ClippedBlock part = clip(number);
        int byteOffset = channel * channelBytes();
        long[] values = new long[Math.toIntExact(block[0] * block[1] * block[2])];
        java.util.Arrays.fill(values, readElement(elements, byteOffset + part.offset(0, 0, 0)));
        for (int z = 0; z < part.z(); z++) {
            for (int y = 0; y < part.y(); y++) {
                for (int x = 0; x < part.x(); x++) {
                    values[(int) indexInBlock(x, y, z)] = readElement(elements, byteOffset + part.offset(x, y, z));
                }
            }
        }
        return values;
    }

    private long readElement(byte[] elements, int byteOffset) {
        return elementSize == Integer.BYTES
                ? Integer.toUnsignedLong(Words.int32(elements, byteOffset))
                : Words.int64(elements, byteOffset);
    }
}
