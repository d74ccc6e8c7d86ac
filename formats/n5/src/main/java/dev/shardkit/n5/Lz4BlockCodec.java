package dev.shardkit.n5;

import dev.shardkit.codec.lz4.Lz4Decoder;
import dev.shardkit.codec.lz4.Lz4Encoder;
import dev.shardkit.spi.bytes.CodecOutput;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.bytes.Words;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.commons.codec.digest.XXHash32;

/**
 * The format {@code LZ4Block} of the library lz4-java, which N5 uses for its compression {@code lz4}. Each block begins
 * with a magic number, sizes and a checksum; an empty block marks the end. The format differs from the LZ4 frame format
 * and from that of numcodecs. Immutable and thread-safe.
 *
 * @param blockSize the decoded size of all blocks but the last, in bytes
 */
record Lz4BlockCodec(int blockSize) implements BytesToBytesCodec {
    static final String NAME = "n5.lz4_block";
    static final int MIN_BLOCK_SIZE = 64;
    static final int MAX_BLOCK_SIZE = 1 << 25;
    static final int DEFAULT_BLOCK_SIZE = 1 << 16;

    // The header of a block: magic number, token, sizes, checksum.
    private static final byte[] MAGIC = "LZ4Block".getBytes(StandardCharsets.US_ASCII);
    private static final int TOKEN_OFFSET = MAGIC.length;
    private static final int ENCODED_SIZE_OFFSET = TOKEN_OFFSET + 1;
    private static final int DECODED_SIZE_OFFSET = ENCODED_SIZE_OFFSET + 4;
    private static final int CHECKSUM_OFFSET = DECODED_SIZE_OFFSET + 4;
    private static final int HEADER_SIZE = CHECKSUM_OFFSET + 4;
    // The token of a block has the method of compression in its high bits and the level in its low bits. The level
    // determines the maximum decoded size of a block.
    private static final int METHOD_RAW = 0x10;
    private static final int METHOD_LZ4 = 0x20;
    private static final int LEVEL_MASK = 0x0f;
    /** The binary logarithm of the block size at level 0. */
    private static final int LEVEL_BASE = 10;

    // The seed of the checksum and the mask of its stored bits, as in LZ4BlockOutputStream of lz4-java.
    private static final int SEED = 0x9747b28c;
    private static final int CHECKSUM_MASK = 0x0fffffff;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object().with("block_size", Json.of(blockSize));
    }

    @Override
    public Bytes encode(Bytes decoded, Scratch scratch) {
        HeapBytes input = HeapBytes.of(decoded, scratch, NAME);
        ByteArrayOutputStream output = new ByteArrayOutputStream(input.size() / 2 + 2 * HEADER_SIZE);
        byte[] block = scratch.borrow((int) Lz4Encoder.maxEncodedSize(blockSize));
        Lz4Encoder encoder = new Lz4Encoder();
        for (int offset = input.from(); offset < input.to(); offset += blockSize) {
            int length = Math.min(blockSize, input.to() - offset);
            int acceleration = 1; // the default of LZ4
            int size = encoder.encode(input.array(), offset, length, block, 0, block.length, acceleration);
            int checksum = computeChecksum(input.array(), offset, length);
            if (size >= 0 && size < length) {
                output.writeBytes(encodeHeader(METHOD_LZ4, size, length, checksum));
                output.write(block, 0, size);
            } else {
                output.writeBytes(encodeHeader(METHOD_RAW, length, length, checksum));
                output.write(input.array(), offset, length);
            }
        }
        output.writeBytes(encodeHeader(METHOD_RAW, 0, 0, 0)); // the empty block at the end
        return Bytes.of(output.toByteArray());
    }

    /** Returns the header of a block. Its level is the smallest one whose maximum is at least the block size. */
    private byte[] encodeHeader(int method, int encodedSize, int decodedSize, int checksum) {
        int level = Math.max(0, Integer.SIZE - Integer.numberOfLeadingZeros(blockSize - 1) - LEVEL_BASE);
        byte[] header = Arrays.copyOf(MAGIC, HEADER_SIZE);
        header[TOKEN_OFFSET] = (byte) (method | level);
        Words.int32(header, ENCODED_SIZE_OFFSET, encodedSize);
        Words.int32(header, DECODED_SIZE_OFFSET, decodedSize);
        Words.int32(header, CHECKSUM_OFFSET, checksum);
        return header;
    }

    private static int computeChecksum(byte[] input, int offset, int length) {
        XXHash32 hash = new XXHash32(SEED);
        hash.update(input, offset, length);
        return (int) hash.getValue() & CHECKSUM_MASK;
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        HeapBytes input = HeapBytes.of(encoded, scratch, NAME);
        CodecOutput output = CodecOutput.decoding(
                DecodedSize.atMost(expected.maxBytes()), Math.min(expected.maxBytes() + 1, 4L * input.size()), scratch);
        int offset = input.from();
        while (true) {
            Block block = readBlock(input, offset);
            offset += HEADER_SIZE;
            if (block.decodedSize() == 0) {
                break;
            }
            while (output.capacity() - output.size() < block.decodedSize()) {
                if (!output.grow()) {
                    throw CodecOutput.tooMuch(expected, NAME);
                }
            }
            block.decode(input.array(), offset, output);
            offset += block.encodedSize();
        }
        if (offset != input.to()) {
            throw new CorruptDataException(
                    NAME + ": expected the end after the empty block, found " + (input.to() - offset) + " more bytes");
        }
        expected.check(output.size(), NAME + " decoded");
        return output.borrowed();
    }

    /** Reads and checks the header of a block. */
    private static Block readBlock(HeapBytes input, int offset) {
        if (input.to() - offset < HEADER_SIZE
                || !Arrays.equals(input.array(), offset, offset + MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new CorruptDataException(NAME + ": expected a block that begins with LZ4Block at byte "
                    + (offset - input.from()) + " of " + input.size());
        }
        int token = input.array()[offset + TOKEN_OFFSET];
        Block block = new Block(
                token & ~LEVEL_MASK,
                Words.int32(input.array(), offset + ENCODED_SIZE_OFFSET),
                Words.int32(input.array(), offset + DECODED_SIZE_OFFSET),
                Words.int32(input.array(), offset + CHECKSUM_OFFSET));
        long maxDecodedSize = 1L << (LEVEL_BASE + (token & LEVEL_MASK));
        boolean isEmpty = block.decodedSize == 0 && block.encodedSize == 0 && block.checksum == 0;
        boolean isFull = block.decodedSize > 0
                && block.decodedSize <= maxDecodedSize
                && block.encodedSize > 0
                && block.encodedSize <= input.to() - offset - HEADER_SIZE
                && (block.method == METHOD_LZ4 || block.method == METHOD_RAW && block.encodedSize == block.decodedSize);
        if (!isEmpty && !isFull) {
            throw new CorruptDataException(NAME + ": expected a block of at most " + maxDecodedSize + " bytes in the "
                    + (input.to() - offset - HEADER_SIZE) + " bytes that are left, found " + block);
        }
        return block;
    }

    /** The header of a block. */
    private record Block(int method, int encodedSize, int decodedSize, int checksum) {
        /** Appends the decoded block to {@code output}, whose capacity must suffice. */
        void decode(byte[] input, int offset, CodecOutput output) {
            int start = output.size();
            if (method == METHOD_RAW) {
                System.arraycopy(input, offset, output.array(), start, decodedSize);
            } else {
                int actualSize = Lz4Decoder.decode(input, offset, encodedSize, output.array(), start, decodedSize);
                if (actualSize != decodedSize) {
                    throw new CorruptDataException(
                            NAME + " decoded: expected " + decodedSize + " bytes in a block, found " + actualSize);
                }
            }
            int found = Lz4BlockCodec.computeChecksum(output.array(), start, decodedSize);
            if (found != checksum) {
                throw new ChecksumException(NAME + ": expected the checksum " + Integer.toHexString(checksum)
                        + " of a block, found " + Integer.toHexString(found));
            }
            output.advance(decodedSize);
        }
    }
}
