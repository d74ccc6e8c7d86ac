package dev.shardkit.hdf5;

import dev.shardkit.codec.lz4.Lz4Decoder;
import dev.shardkit.codec.lz4.Lz4Encoder;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.kernel.CodecOutput;
import dev.shardkit.spi.kernel.HeapBytes;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/**
 * LZ4 as HDF5's filter 32004 has it: the decoded size in 8 bytes and the size of a block in 4, then for each block its
 * encoded size and its bytes. A block whose two sizes are equal is not compressed. Numbers are big-endian. Immutable
 * and thread-safe.
 */
record Lz4Blocks() implements BytesToBytesCodec {
    static final String NAME = "hdf5.lz4";
    private static final int HEADER = 12;
    private static final int BLOCK = 1 << 20;
    /** The largest expansion of an LZ4 block: each byte of a match length stands for 255 bytes. */
    private static final long MAX_EXPANSION = 255;

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
        HeapBytes in = HeapBytes.of(decoded, scratch, NAME);
        ByteArrayOutputStream out = new ByteArrayOutputStream(in.size() / 2 + HEADER);
        out.writeBytes(
                ByteBuffer.allocate(HEADER).putLong(in.size()).putInt(BLOCK).array());
        byte[] block = scratch.borrow((int) Lz4Encoder.most(BLOCK));
        Lz4Encoder encoder = new Lz4Encoder();
        for (int at = in.from(); at < in.to(); at += BLOCK) {
            int n = Math.min(BLOCK, in.to() - at);
            int size = encoder.encode(in.array(), at, n, block, 0, block.length, 1);
            boolean smaller = size >= 0 && size < n;
            out.writeBytes(ByteBuffer.allocate(Integer.BYTES)
                    .putInt(smaller ? size : n)
                    .array());
            out.write(smaller ? block : in.array(), smaller ? 0 : at, smaller ? size : n);
        }
        return Bytes.of(out.toByteArray());
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        HeapBytes in = HeapBytes.of(encoded, scratch, NAME);
        if (in.size() < HEADER) {
            throw new CorruptDataException(NAME + ": expected at least 12 bytes, found " + in.size());
        }
        ByteBuffer bytes = ByteBuffer.wrap(in.array(), in.from(), in.size());
        long claimed = bytes.getLong();
        long blockSize = bytes.getInt() & 0xffffffffL;
        expected.check(claimed, NAME + " header");
        if (claimed < 0 || claimed > MAX_EXPANSION * in.size() || claimed > 0 && blockSize == 0) {
            throw new CorruptDataException(NAME + ": expected an encoding of " + claimed + " bytes in blocks of "
                    + blockSize + ", found " + in.size() + " bytes, which cannot hold them");
        }
        CodecOutput out = CodecOutput.decoding(DecodedSize.exactly(claimed), claimed + 1, scratch);
        while (out.size() < claimed) {
            block(bytes, (int) Math.min(blockSize, claimed - out.size()), out);
        }
        if (bytes.hasRemaining()) {
            throw new CorruptDataException(
                    NAME + ": expected the end after the last block, found " + bytes.remaining() + " more bytes");
        }
        return out.borrowed();
    }

    private static void block(ByteBuffer bytes, int size, CodecOutput out) {
        int encoded = bytes.remaining() < Integer.BYTES ? -1 : bytes.getInt();
        if (encoded < 0 || encoded > bytes.remaining()) {
            throw new CorruptDataException(
                    NAME + ": expected a block of " + encoded + " bytes, found " + bytes.remaining());
        }
        int at = out.size();
        if (encoded == size) {
            bytes.get(out.array(), at, size);
        } else {
            int from = bytes.position();
            int n = Lz4Decoder.decode(bytes.array(), from, encoded, out.array(), at, size);
            if (n != size) {
                throw new CorruptDataException(NAME + " decoded: expected " + size + " bytes, found " + n);
            }
            bytes.position(from + encoded);
        }
        out.advance(size);
    }
}
