package dev.shardkit.hdf5;

import dev.shardkit.codec.blosc.Blosc2Blocks;
import dev.shardkit.codec.lz4.Lz4Encoder;
import dev.shardkit.codec.zstd.ZstdCodec;
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
import java.util.Arrays;
import java.util.Locale;

/**
 * Bitshuffle, HDF5's filter 32008: blocks of elements whose bits are transposed. With a compressor, the decoded size in
 * 8 bytes and the size of a block in 4 come first, and each block follows its encoded size (4 bytes, big-endian). The
 * last block has a multiple of 8 elements; the elements after it are stored as they are. Immutable and thread-safe.
 *
 * @param elementSize the size of an element in bytes, 1 or more
 * @param blockSize the number of elements of a block, a multiple of 8; with a compressor, encoded bytes state theirs
 * @param compressor what compresses each block
 */
record BitshuffleCodec(int elementSize, int blockSize, Compressor compressor) implements BytesToBytesCodec {
    static final String NAME = "hdf5.bitshuffle";
    static final String ELEMENT_SIZE = "elementsize";
    static final String BLOCK_SIZE = "blocksize";
    static final String COMPRESSOR = "cname";
    /** Elements are shuffled in groups of this number. */
    static final int GROUP = 8;

    static final int MAX_BLOCK_BYTES = 1 << 30;

    private static final int HEADER = 12;
    private static final int TARGET_BLOCK_BYTES = 8192;
    private static final int MIN_BLOCK = 128;

    /** The compressor of blocks. */
    enum Compressor {
        NONE(0),
        LZ4(1),
        ZSTD(4);

        /** Its number in Blosc. */
        private final int format;

        Compressor(int format) {
            this.format = format;
        }

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Returns the number of elements of a block that the filter uses if none is stated. */
    static int usualBlock(int elementSize) {
        return Math.max(MIN_BLOCK, TARGET_BLOCK_BYTES / elementSize / GROUP * GROUP);
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

    /** Returns the bytes that are in blocks: whole groups of elements. */
    private long shuffled(long size) {
        long group = (long) GROUP * elementSize;
        return size / group * group;
    }

    private int blockBytes(long size) {
        return (int) Math.min((long) blockSize * elementSize, shuffled(size));
    }

    @Override
    public Bytes encode(Bytes decoded, Scratch scratch) {
        HeapBytes in = HeapBytes.of(decoded, scratch, NAME);
        ByteArrayOutputStream out = new ByteArrayOutputStream(in.size() + HEADER);
        if (compressor != Compressor.NONE) {
            out.writeBytes(ByteBuffer.allocate(HEADER)
                    .putLong(in.size())
                    .putInt(blockSize * elementSize)
                    .array());
        }
        int end = in.from() + (int) shuffled(in.size());
        int most = blockBytes(in.size());
        byte[] planes = scratch.borrow(most);
        byte[] block = new byte[most];
        for (int at = in.from(); at < end; at += most) {
            int n = Math.min(most, end - at);
            Blosc2Blocks.bitShuffle(elementSize, n, in.array(), at, planes, block);
            byte[] stored = compressed(block, n, scratch);
            if (compressor != Compressor.NONE) {
                out.writeBytes(
                        ByteBuffer.allocate(Integer.BYTES).putInt(stored.length).array());
            }
            out.writeBytes(stored);
        }
        out.write(in.array(), end, in.to() - end);
        return Bytes.of(out.toByteArray());
    }

    private byte[] compressed(byte[] block, int n, Scratch scratch) {
        switch (compressor) {
            case LZ4 -> {
                byte[] room = new byte[(int) Lz4Encoder.most(n)];
                int size = new Lz4Encoder().encode(block, 0, n, room, 0, room.length, 1);
                return Arrays.copyOf(room, size);
            }
            case ZSTD -> {
                return ZstdCodec.ofLevel(3)
                        .encode(Bytes.of(block, 0, n), scratch)
                        .toArray();
            }
            default -> {
                return Arrays.copyOf(block, n);
            }
        }
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        HeapBytes in = HeapBytes.of(encoded, scratch, NAME);
        ByteBuffer bytes = ByteBuffer.wrap(in.array(), in.from(), in.size());
        if (compressor == Compressor.NONE) {
            expected.check(in.size(), NAME + " decoded");
            return blocks(bytes, in.size(), blockBytes(in.size()), scratch);
        }
        if (in.size() < HEADER) {
            throw new CorruptDataException(NAME + ": expected at least 12 bytes, found " + in.size());
        }
        long size = bytes.getLong();
        long stated = bytes.getInt() & 0xffffffffL;
        expected.check(size, NAME + " header");
        if (size < 0 || stated % ((long) GROUP * elementSize) != 0) {
            throw new CorruptDataException(NAME + ": expected blocks of a multiple of " + GROUP + " elements of "
                    + elementSize + " bytes, found " + stated + " bytes");
        }
        long block = stated == 0 ? (long) usualBlock(elementSize) * elementSize : stated;
        return blocks(bytes, size, (int) Math.min(block, shuffled(size)), scratch);
    }

    /** Decodes blocks of {@code blockBytes} bytes, then takes the elements after them. */
    private Bytes blocks(ByteBuffer bytes, long size, int blockBytes, Scratch scratch) {
        CodecOutput out = CodecOutput.decoding(DecodedSize.exactly(size), size, scratch);
        long end = shuffled(size);
        byte[] block = scratch.borrow(compressor == Compressor.NONE ? 0 : blockBytes);
        byte[] planes = scratch.borrow(blockBytes);
        while (out.size() < end) {
            int n = (int) Math.min(blockBytes, end - out.size());
            int from = bytes.position();
            if (compressor == Compressor.NONE) {
                Blosc2Blocks.bitUnshuffle(elementSize, n, bytes.array(), from, planes, out.array(), out.size());
                bytes.position(from + n);
            } else {
                if (bytes.remaining() < Integer.BYTES) {
                    throw new CorruptDataException(
                            NAME + ": expected the size of a block (4 bytes), found " + bytes.remaining() + " bytes");
                }
                int stored = bytes.getInt();
                if (stored < 0 || stored > bytes.remaining()) {
                    throw new CorruptDataException(
                            NAME + ": expected a block of " + stored + " bytes, found " + bytes.remaining());
                }
                from = bytes.position();
                Blosc2Blocks.expand(compressor.format, bytes.array(), from, stored, block, 0, n, scratch);
                Blosc2Blocks.bitUnshuffle(elementSize, n, block, 0, planes, out.array(), out.size());
                bytes.position(from + stored);
            }
            out.advance(n);
        }
        int rest = (int) (size - end);
        if (bytes.remaining() != rest) {
            throw new CorruptDataException(
                    NAME + ": expected " + rest + " bytes after the last block, found " + bytes.remaining());
        }
        bytes.get(out.array(), out.size(), rest);
        out.advance(rest);
        return out.borrowed();
    }
}
