package dev.shardkit.wkw;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.kernel.Words;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The header of a cube, and the content of {@code header.wkw} (SPECIFICATION.md, "File header"). Immutable.
 *
 * @param blockBits the length of a block in voxels, as a power of two
 * @param cubeBits the length of a cube in blocks, as a power of two
 * @param blocks how blocks are encoded
 * @param type the type of a value
 * @param voxelSize the size of a voxel in bytes
 * @param dataOffset the first byte of the first block; 0 in {@code header.wkw}
 */
record CubeHeader(int blockBits, int cubeBits, Blocks blocks, VoxelType type, int voxelSize, long dataOffset) {
    /** The size in bytes. */
    static final int SIZE = 16;

    private static final byte[] MAGIC = "WKW".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION = 3;
    private static final int LENGTHS = 4;
    private static final int BLOCKS = 5;
    private static final int TYPE = 6;
    private static final int VOXEL = 7;
    private static final int OFFSET = 8;
    private static final int NIBBLE = 15;

    /** How blocks are encoded, by number from 1. */
    enum Blocks {
        RAW,
        LZ4,
        /** The same format as LZ4, from a slower encoder. */
        LZ4HC
    }

    /** The types of values, by number from 1. */
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

    /** Decodes the header at {@code at} of an array. */
    static CubeHeader decode(byte[] in, int at, int length) {
        if (length < SIZE || !Arrays.equals(in, at, at + MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new CorruptDataException(
                    "wkw header: expected " + SIZE + " bytes that begin with WKW, found " + length + " others");
        }
        if (in[at + VERSION] != 1) {
            throw new CorruptDataException("wkw header: expected version 1, found " + (in[at + VERSION] & 0xff));
        }
        Blocks blocks = numbered(Blocks.values(), in[at + BLOCKS], "a block type");
        VoxelType type = numbered(VoxelType.values(), in[at + TYPE], "a voxel type");
        int voxel = in[at + VOXEL] & 0xff;
        if (voxel == 0 || voxel % type.size != 0) {
            throw new CorruptDataException(
                    "wkw header: expected a voxel size that is a multiple of " + type.size + ", found " + voxel);
        }
        return new CubeHeader(
                in[at + LENGTHS] & NIBBLE,
                in[at + LENGTHS] >> 4 & NIBBLE,
                blocks,
                type,
                voxel,
                Words.int64(in, at + OFFSET));
    }

    private static <E> E numbered(E[] values, byte number, String what) {
        if (number < 1 || number > values.length) {
            throw new CorruptDataException(
                    "wkw header: expected " + what + " from 1 to " + values.length + ", found " + (number & 0xff));
        }
        return values[number - 1];
    }

    /** Encodes this header. */
    byte[] encode() {
        byte[] out = Arrays.copyOf(MAGIC, SIZE);
        out[VERSION] = 1;
        out[LENGTHS] = (byte) (cubeBits << 4 | blockBits);
        out[BLOCKS] = (byte) (blocks.ordinal() + 1);
        out[TYPE] = (byte) (type.ordinal() + 1);
        out[VOXEL] = (byte) voxelSize;
        Words.int64(out, OFFSET, dataOffset);
        return out;
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
    long blockBytes() {
        return (long) voxelSize << 3 * blockBits;
    }

    /** Returns the first byte after header and jump table. */
    long firstBlock() {
        return SIZE + (blocks == Blocks.RAW ? 0 : Long.BYTES * blockCount());
    }
}
