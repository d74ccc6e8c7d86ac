package dev.shardkit.hdf5.codec;

import dev.shardkit.codec.lz4.Lz4Decoder;
import dev.shardkit.codec.lz4.Lz4Encoder;
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

/**
 * LZ4 in the format of HDF5's filter 32004: the decoded size (8 bytes) and the size of a block (4 bytes), then for each
 * block its encoded size and its bytes. A block whose two sizes are equal is not compressed. Numbers are big-endian.
 * Immutable and thread-safe.
 */
public record Lz4Blocks() implements BytesToBytesCodec {
    public static final String NAME = "hdf5.lz4";
    /** The size of the header in bytes: the decoded size, and the size of a block. */
    private static final int HEADER = 12;
    /** The decoded size of a block that this encoder writes. */
    private static final int BLOCK_SIZE = 1 << 20;
    /**
     * How many decoded bytes one byte of an LZ4 block can represent at most: a byte of a match length stands for 255.
     */
    private static final long MAX_EXPANSION = 255;
    /** The encoder's setting for the smallest blocks: it searches a match at each position. */
    private static final int ACCELERATION = 1;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return Json.object();
    }

    @Override
    public Bytes encode(Bytes decoded, Scratch scratch) {
        HeapBytes input = HeapBytes.of(decoded, scratch, NAME);
        ByteArrayOutputStream output = new ByteArrayOutputStream(input.size() / 2 + HEADER);
        output.writeBytes(ByteBuffer.allocate(HEADER)
                .putLong(input.size())
                .putInt(BLOCK_SIZE)
                .array());
        byte[] block = scratch.borrow((int) Lz4Encoder.maxEncodedSize(BLOCK_SIZE));
        Lz4Encoder encoder = new Lz4Encoder();
        for (int offset = input.from(); offset < input.to(); offset += BLOCK_SIZE) {
            int length = Math.min(BLOCK_SIZE, input.to() - offset);
            int size = encoder.encode(input.array(), offset, length, block, 0, block.length, ACCELERATION);
            boolean isCompressed = size >= 0 && size < length;
            output.writeBytes(ByteBuffer.allocate(Integer.BYTES)
                    .putInt(isCompressed ? size : length)
                    .array());
            if (isCompressed) {
                output.write(block, 0, size);
            } else {
                output.write(input.array(), offset, length);
            }
        }
        return Bytes.of(output.toByteArray());
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        HeapBytes input = HeapBytes.of(encoded, scratch, NAME);
        if (input.size() < HEADER) {
            throw new CorruptDataException(NAME + ": expected at least 12 bytes, found " + input.size());
        }
        ByteBuffer bytes = ByteBuffer.wrap(input.array(), input.from(), input.size());
        long decodedSize = bytes.getLong();
        long blockSize = bytes.getInt() & 0xffffffffL;
        expected.check(decodedSize, NAME + " header");
        if (decodedSize < 0 || decodedSize > MAX_EXPANSION * input.size() || decodedSize > 0 && blockSize == 0) {
            throw new CorruptDataException(NAME + ": expected an encoding of " + decodedSize + " bytes in blocks of "
                    + blockSize + ", found " + input.size() + " bytes, which cannot hold them");
        }
        long guess = decodedSize; // without effect, because the size is exact
        CodecOutput output = CodecOutput.decoding(DecodedSize.exactly(decodedSize), guess, scratch);
        while (output.size() < decodedSize) {
            decodeBlock(bytes, (int) Math.min(blockSize, decodedSize - output.size()), output);
        }
        if (bytes.hasRemaining()) {
            throw new CorruptDataException(
                    NAME + ": expected the end after the last block, found " + bytes.remaining() + " more bytes");
        }
        return output.borrowed();
    }

    /** Decodes the next block, whose decoded size is {@code size}. */
    private static void decodeBlock(ByteBuffer bytes, int size, CodecOutput output) {
        int encodedSize = bytes.remaining() < Integer.BYTES ? -1 : bytes.getInt();
        if (encodedSize < 0 || encodedSize > bytes.remaining()) {
            throw new CorruptDataException(
                    NAME + ": expected a block of " + encodedSize + " bytes, found " + bytes.remaining());
        }
        int offset = output.size();
        if (encodedSize == size) { // not compressed
            bytes.get(output.array(), offset, size);
        } else {
            int from = bytes.position();
            int length = Lz4Decoder.decode(bytes.array(), from, encodedSize, output.array(), offset, size);
            if (length != size) {
                throw new CorruptDataException(NAME + " decoded: expected " + size + " bytes, found " + length);
            }
            bytes.position(from + encodedSize);
        }
        output.advance(size);
    }
}
