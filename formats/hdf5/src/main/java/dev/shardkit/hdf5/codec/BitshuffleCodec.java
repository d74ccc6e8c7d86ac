package dev.shardkit.hdf5.codec;

import dev.shardkit.codec.blosc.SharedBloscFilters;
import dev.shardkit.codec.lz4.Lz4Encoder;
import dev.shardkit.codec.zstd.ZstdCodec;
import dev.shardkit.spi.bytes.CodecOutput;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;

/**
 * Bitshuffle, HDF5's filter 32008. It transposes the bits of a block of elements: all first bits, then all second bits,
 * and so on. With a compressor, the encoding starts with the decoded size of the chunk (8 bytes) and the decoded size
 * of a block (4 bytes), and the encoded size (4 bytes) precedes each block. These numbers are big-endian. The last
 * block may be shorter, but also has a multiple of 8 elements. The remaining elements, at most 7, are stored unchanged
 * after it. Immutable and thread-safe.
 *
 * @param elementSize the size of an element in bytes, 1 or more
 * @param blockSize the number of elements of a block, a multiple of 8. If blocks are compressed, the decoder uses the
 *     size in the encoding instead
 * @param compressor the compressor of blocks
 */
public record BitshuffleCodec(int elementSize, int blockSize, Compressor compressor) implements BytesToBytesCodec {
    public static final String NAME = "hdf5.bitshuffle";
    static final String ELEMENT_SIZE = "elementsize";
    static final String BLOCK_SIZE = "blocksize";
    static final String COMPRESSOR = "cname";
    /** The number of elements of a block is a multiple of this, so that their bits fill whole bytes. */
    public static final int GROUP_SIZE = 8;

    public static final int MAX_BLOCK_BYTES = 1 << 30;

    /** The size of the header of an encoding with a compressor. */
    private static final int HEADER = 12;
    // The default size of a block in the bitshuffle library: this many bytes, but at least so many elements.
    private static final int TARGET_BLOCK_BYTES = 8192;

    private static final int MIN_BLOCK = 128;

    /** The compressor of blocks. */
    public enum Compressor {
        NONE(0),
        LZ4(1),
        ZSTD(4);

        /** The number of the compressor in Blosc, whose decoders this codec uses. */
        private final int bloscNumber;

        Compressor(int bloscNumber) {
            this.bloscNumber = bloscNumber;
        }

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Returns the default number of elements of a block. */
    public static int defaultBlockSize(int elementSize) {
        return Math.max(MIN_BLOCK, TARGET_BLOCK_BYTES / elementSize / GROUP_SIZE * GROUP_SIZE);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object()
                .with(ELEMENT_SIZE, Json.of(elementSize))
                .with(BLOCK_SIZE, Json.of(blockSize))
                .with(COMPRESSOR, Json.of(compressor.label()));
    }

    /** Returns how many of {@code size} bytes are in blocks. The bytes after them are less than a group of elements. */
    private long shuffledBytes(long size) {
        long group = (long) GROUP_SIZE * elementSize;
        return size / group * group;
    }

    /** Returns the number of bytes in each block of a chunk that has {@code size} bytes. */
    private int blockBytes(long size) {
        return (int) Math.min((long) blockSize * elementSize, shuffledBytes(size));
    }

    @Override
    public Bytes encode(Bytes decoded, Scratch scratch) {
        HeapBytes input = HeapBytes.of(decoded, scratch, NAME);
        ByteArrayOutputStream output = new ByteArrayOutputStream(input.size() + HEADER);
        if (compressor != Compressor.NONE) {
            output.writeBytes(ByteBuffer.allocate(HEADER)
                    .putLong(input.size())
                    .putInt(blockSize * elementSize)
                    .array());
        }
        int end = input.from() + (int) shuffledBytes(input.size());
        int maxBlockBytes = blockBytes(input.size());
        byte[] planes = scratch.borrow(maxBlockBytes); // temporary memory of the transposition
        byte[] block = new byte[maxBlockBytes];
        for (int offset = input.from(); offset < end; offset += maxBlockBytes) {
            int length = Math.min(maxBlockBytes, end - offset);
            SharedBloscFilters.bitShuffle(elementSize, length, input.array(), offset, planes, block);
            byte[] encodedBlock = compress(block, length, scratch);
            if (compressor != Compressor.NONE) {
                output.writeBytes(ByteBuffer.allocate(Integer.BYTES)
                        .putInt(encodedBlock.length)
                        .array());
            }
            output.writeBytes(encodedBlock);
        }
        output.write(input.array(), end, input.to() - end);
        return Bytes.of(output.toByteArray());
    }

    private byte[] compress(byte[] block, int length, Scratch scratch) {
        switch (compressor) {
            case LZ4 -> {
                byte[] buffer = new byte[(int) Lz4Encoder.maxEncodedSize(length)];
                int size = new Lz4Encoder().encode(block, 0, length, buffer, 0, buffer.length, 1);
                return Arrays.copyOf(buffer, size);
            }
            case ZSTD -> {
                return ZstdCodec.ofLevel(3)
                        .encode(Bytes.of(block, 0, length), scratch)
                        .toArray();
            }
            default -> {
                return Arrays.copyOf(block, length);
            }
        }
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        HeapBytes input = HeapBytes.of(encoded, scratch, NAME);
        ByteBuffer bytes = ByteBuffer.wrap(input.array(), input.from(), input.size());
        if (compressor == Compressor.NONE) {
            expected.check(input.size(), NAME + " decoded");
            return decodeBlocks(bytes, input.size(), blockBytes(input.size()), scratch);
        }
        if (input.size() < HEADER) {
            throw new CorruptDataException(NAME + ": expected at least 12 bytes, found " + input.size());
        }
        long size = bytes.getLong();
        long blockBytesInHeader = bytes.getInt() & 0xffffffffL;
        expected.check(size, NAME + " header");
        if (size < 0 || blockBytesInHeader % ((long) GROUP_SIZE * elementSize) != 0) {
            throw new CorruptDataException(NAME + ": expected blocks of a multiple of " + GROUP_SIZE + " elements of "
                    + elementSize + " bytes, found " + blockBytesInHeader + " bytes");
        }
        // A block size of 0 in the header stands for the default size.
        long block = blockBytesInHeader == 0 ? (long) defaultBlockSize(elementSize) * elementSize : blockBytesInHeader;
        return decodeBlocks(bytes, size, (int) Math.min(block, shuffledBytes(size)), scratch);
    }

    /**
     * Decodes all blocks, then copies the elements after them.
     *
     * @param size the decoded size of the chunk
     * @param blockBytes the decoded size of a block
     */
    private Bytes decodeBlocks(ByteBuffer bytes, long size, int blockBytes, Scratch scratch) {
        CodecOutput output = CodecOutput.decoding(DecodedSize.exactly(size), size, scratch);
        long end = shuffledBytes(size);
        byte[] block = scratch.borrow(compressor == Compressor.NONE ? 0 : blockBytes);
        byte[] planes = scratch.borrow(blockBytes);
        while (output.size() < end) {
            int length = (int) Math.min(blockBytes, end - output.size());
            int blockStart = bytes.position();
            if (compressor == Compressor.NONE) {
                SharedBloscFilters.bitUnshuffle(
                        elementSize, length, bytes.array(), blockStart, planes, output.array(), output.size());
                bytes.position(blockStart + length);
            } else {
                if (bytes.remaining() < Integer.BYTES) {
                    throw new CorruptDataException(
                            NAME + ": expected the size of a block (4 bytes), found " + bytes.remaining() + " bytes");
                }
                int encodedSize = bytes.getInt();
                if (encodedSize < 0 || encodedSize > bytes.remaining()) {
                    throw new CorruptDataException(
                            NAME + ": expected a block of " + encodedSize + " bytes, found " + bytes.remaining());
                }
                blockStart = bytes.position();
                SharedBloscFilters.expand(
                        compressor.bloscNumber, bytes.array(), blockStart, encodedSize, block, 0, length, scratch);
                SharedBloscFilters.bitUnshuffle(elementSize, length, block, 0, planes, output.array(), output.size());
                bytes.position(blockStart + encodedSize);
            }
            output.advance(length);
        }
        int remainingBytes = (int) (size - end);
        if (bytes.remaining() != remainingBytes) {
            throw new CorruptDataException(
                    NAME + ": expected " + remainingBytes + " bytes after the last block, found " + bytes.remaining());
        }
        bytes.get(output.array(), output.size(), remainingBytes);
        output.advance(remainingBytes);
        return output.borrowed();
    }
}
