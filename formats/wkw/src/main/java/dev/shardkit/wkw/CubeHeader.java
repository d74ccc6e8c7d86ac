package dev.shardkit.wkw;

import dev.shardkit.spi.bytes.Words;
import dev.shardkit.spi.error.CorruptDataException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The header of a cube of webknossos-wrap, and also the content of the file {@code header.wkw} (SPECIFICATION.md of
 * webknossos-wrap, "File header"). Immutable.
 *
 * @param blockBits the binary logarithm of the length of a block in voxels
 * @param cubeBits the binary logarithm of the length of a cube in blocks
 * @param blockEncoding the encoding of blocks
 * @param type the data type
 * @param voxelSize the size of a voxel in bytes
 * @param dataOffset the stored offset of the first block; 0 in {@code header.wkw}. {@code CubeIndex} checks it
 */
record CubeHeader(
        int blockBits, int cubeBits, BlockEncoding blockEncoding, VoxelType type, int voxelSize, long dataOffset) {
    /** The size in bytes. */
    static final int SIZE = 16;

    private static final byte[] MAGIC = "WKW".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION_OFFSET = 3;
    private static final int LENGTHS_OFFSET = 4;
    private static final int BLOCKS_OFFSET = 5;
    private static final int TYPE_OFFSET = 6;
    private static final int VOXEL_SIZE_OFFSET = 7;
    private static final int DATA_OFFSET_OFFSET = 8;
    /** Each of the two binary logarithms has 4 bits of one byte. */
    private static final int NIBBLE_MASK = 15;

    /** The encodings of blocks. The number in the header is the ordinal plus 1. */
    enum BlockEncoding {
        RAW,
        LZ4,
        /** The same format as {@link #LZ4}, written by a slower encoder. */
        LZ4HC
    }

    /** The data types. The number in the header is the ordinal plus 1. */
    enum VoxelType {
        UINT8(1),
        UINT16(2),
        UINT32(4),
        UINT64(8),
        FLOAT32(4),
        FLOAT64(8),
        INT8(1),
        INT16(2),
        INT32(4),
        INT64(8);

        private final int size;

        VoxelType(int size) {
            this.size = size;
        }

        /** Returns the size of a value in bytes. */
        int size() {
            return size;
        }

        /** Returns the name of the data type. */
        String label() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** Decodes the header at an offset of an array. */
    static CubeHeader decode(byte[] input, int offset, int length) {
        if (length < SIZE || !Arrays.equals(input, offset, offset + MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new CorruptDataException(
                    "wkw header: expected " + SIZE + " bytes that begin with WKW, found " + length + " others");
        }
        if (input[offset + VERSION_OFFSET] != 1) {
            throw new CorruptDataException(
                    "wkw header: expected version 1, found " + (input[offset + VERSION_OFFSET] & 0xff));
        }
        BlockEncoding blockEncoding = ofNumber(BlockEncoding.values(), input[offset + BLOCKS_OFFSET], "a block type");
        VoxelType type = ofNumber(VoxelType.values(), input[offset + TYPE_OFFSET], "a voxel type");
        int voxelSize = input[offset + VOXEL_SIZE_OFFSET] & 0xff;
        if (voxelSize == 0 || voxelSize % type.size != 0) {
            throw new CorruptDataException(
                    "wkw header: expected a voxel size that is a multiple of " + type.size + ", found " + voxelSize);
        }
        return new CubeHeader(
                input[offset + LENGTHS_OFFSET] & NIBBLE_MASK,
                input[offset + LENGTHS_OFFSET] >> 4 & NIBBLE_MASK,
                blockEncoding,
                type,
                voxelSize,
                Words.int64(input, offset + DATA_OFFSET_OFFSET));
    }

    /** Returns the value with a number of the header. */
    private static <E> E ofNumber(E[] values, byte number, String expected) {
        if (number < 1 || number > values.length) {
            throw new CorruptDataException(
                    "wkw header: expected " + expected + " from 1 to " + values.length + ", found " + (number & 0xff));
        }
        return values[number - 1];
    }

    /** Encodes this header. */
    byte[] encode() {
        byte[] output = Arrays.copyOf(MAGIC, SIZE);
        output[VERSION_OFFSET] = 1;
        output[LENGTHS_OFFSET] = (byte) (cubeBits << 4 | blockBits);
        output[BLOCKS_OFFSET] = (byte) (blockEncoding.ordinal() + 1);
        output[TYPE_OFFSET] = (byte) (type.ordinal() + 1);
        output[VOXEL_SIZE_OFFSET] = (byte) voxelSize;
        Words.int64(output, DATA_OFFSET_OFFSET, dataOffset);
        return output;
    }

    /** Returns the number of values of a voxel. */
    int channels() {
        return voxelSize / type.size;
    }

    /** Returns the length of a block in voxels. */
    long blockLength() {
        return 1L << blockBits;
    }

    /** Returns the length of a cube in voxels. */
    long cubeLength() {
        return 1L << blockBits + cubeBits;
    }

    /** Returns the number of blocks of a cube. */
    long blockCount() {
        return 1L << 3 * cubeBits;
    }

    /** Returns the size of a decoded block in bytes. */
    long decodedBlockSize() {
        return (long) voxelSize << 3 * blockBits;
    }

    /**
     * Computes the offset of the first block from the other fields: it follows the header and the table of the ends of
     * blocks (the "jump table" of the specification).
     */
    long firstBlockOffset() {
        return SIZE + (blockEncoding == BlockEncoding.RAW ? 0 : Long.BYTES * blockCount());
    }
}
