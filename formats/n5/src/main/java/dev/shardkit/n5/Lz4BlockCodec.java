package dev.shardkit.n5;

import dev.shardkit.codec.lz4.Lz4Decoder;
import dev.shardkit.codec.lz4.Lz4Encoder;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.kernel.CodecOutput;
import dev.shardkit.spi.kernel.HeapBytes;
import dev.shardkit.spi.kernel.Words;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.commons.codec.digest.XXHash32;

/**
 * The stream that lz4-java calls {@code LZ4Block}, which N5 uses: blocks with a magic number, sizes and a checksum of
 * their own, and an empty block at the end. It is neither the LZ4 frame format nor that of numcodecs. Immutable and
 * thread-safe.
 *
 * @param blockSize the number of bytes that a block encodes, except for the last
 */
record Lz4BlockCodec(int blockSize) implements BytesToBytesCodec {
    static final String NAME = "n5.lz4_block";
    static final int SMALLEST = 64;
    static final int LARGEST = 1 << 25;
    static final int USUAL = 1 << 16;

    private static final byte[] MAGIC = "LZ4Block".getBytes(StandardCharsets.US_ASCII);
    private static final int TOKEN = MAGIC.length;
    private static final int ENCODED = TOKEN + 1;
    private static final int DECODED = ENCODED + 4;
    private static final int CHECKSUM = DECODED + 4;
    private static final int HEADER = CHECKSUM + 4;
    private static final int RAW = 0x10;
    private static final int LZ4 = 0x20;
    private static final int LEVEL = 0x0f;
    /** The block size that level 0 stands for, as a power of two. */
    private static final int LEVEL_BASE = 10;

    private static final int SEED = 0x9747b28c;
    private static final int CHECKSUM_BITS = 0x0fffffff;

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
        HeapBytes in = HeapBytes.of(decoded, scratch, NAME);
        ByteArrayOutputStream out = new ByteArrayOutputStream(in.size() / 2 + 2 * HEADER);
        byte[] block = scratch.borrow((int) Lz4Encoder.most(blockSize));
        Lz4Encoder encoder = new Lz4Encoder();
        for (int at = in.from(); at < in.to(); at += blockSize) {
            int n = Math.min(blockSize, in.to() - at);
            int size = encoder.encode(in.array(), at, n, block, 0, block.length, 1);
            boolean smaller = size >= 0 && size < n;
            out.writeBytes(header(smaller ? LZ4 : RAW, smaller ? size : n, n, checksum(in.array(), at, n)));
            out.write(smaller ? block : in.array(), smaller ? 0 : at, smaller ? size : n);
        }
        out.writeBytes(header(RAW, 0, 0, 0));
        return Bytes.of(out.toByteArray());
    }

    private byte[] header(int method, int encoded, int decoded, int checksum) {
        int level = Math.max(0, Integer.SIZE - Integer.numberOfLeadingZeros(blockSize - 1) - LEVEL_BASE);
        byte[] header = Arrays.copyOf(MAGIC, HEADER);
        header[TOKEN] = (byte) (method | level);
        Words.int32(header, ENCODED, encoded);
        Words.int32(header, DECODED, decoded);
        Words.int32(header, CHECKSUM, checksum);
        return header;
    }

    private static int checksum(byte[] in, int from, int n) {
        XXHash32 hash = new XXHash32(SEED);
        hash.update(in, from, n);
        return (int) hash.getValue() & CHECKSUM_BITS;
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        HeapBytes in = HeapBytes.of(encoded, scratch, NAME);
        CodecOutput out = CodecOutput.decoding(
                DecodedSize.atMost(expected.most()), Math.min(expected.most() + 1, 4L * in.size()), scratch);
        int at = in.from();
        while (true) {
            Block block = block(in, at);
            at += HEADER;
            if (block.decoded() == 0) {
                break;
            }
            while (out.capacity() - out.size() < block.decoded()) {
                if (!out.grow()) {
                    throw CodecOutput.tooMuch(expected, NAME);
                }
            }
            block.decode(in.array(), at, out);
            at += block.encoded();
        }
        if (at != in.to()) {
            throw new CorruptDataException(
                    NAME + ": expected the end after the empty block, found " + (in.to() - at) + " more bytes");
        }
        expected.check(out.size(), NAME + " decoded");
        return out.borrowed();
    }

    /** Reads the header of a block, and checks that the block fits. */
    private static Block block(HeapBytes in, int at) {
        if (in.to() - at < HEADER || !Arrays.equals(in.array(), at, at + MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new CorruptDataException(NAME + ": expected a block that begins with LZ4Block at byte "
                    + (at - in.from()) + " of " + in.size());
        }
        int token = in.array()[at + TOKEN];
        Block block = new Block(
                token & ~LEVEL,
                Words.int32(in.array(), at + ENCODED),
                Words.int32(in.array(), at + DECODED),
                Words.int32(in.array(), at + CHECKSUM));
        long largest = 1L << (LEVEL_BASE + (token & LEVEL));
        boolean isEmpty = block.decoded == 0 && block.encoded == 0 && block.checksum == 0;
        boolean isFull = block.decoded > 0
                && block.decoded <= largest
                && block.encoded > 0
                && block.encoded <= in.to() - at - HEADER
                && (block.method == LZ4 || block.method == RAW && block.encoded == block.decoded);
        if (!isEmpty && !isFull) {
            throw new CorruptDataException(NAME + ": expected a block of at most " + largest + " bytes in the "
                    + (in.to() - at - HEADER) + " bytes that are left, found " + block);
        }
        return block;
    }

    private record Block(int method, int encoded, int decoded, int checksum) {
        /** Appends the decoded block to {@code out}, which has room for it. */
        void decode(byte[] in, int at, CodecOutput out) {
            int start = out.size();
            if (method == RAW) {
                System.arraycopy(in, at, out.array(), start, decoded);
            } else {
                int n = Lz4Decoder.decode(in, at, encoded, out.array(), start, decoded);
                if (n != decoded) {
                    throw new CorruptDataException(
                            NAME + " decoded: expected " + decoded + " bytes in a block, found " + n);
                }
            }
            int found = Lz4BlockCodec.checksum(out.array(), start, decoded);
            if (found != checksum) {
                throw new ChecksumException(NAME + ": expected the checksum " + Integer.toHexString(checksum)
                        + " of a block, found " + Integer.toHexString(found));
            }
            out.advance(decoded);
        }
    }
}
