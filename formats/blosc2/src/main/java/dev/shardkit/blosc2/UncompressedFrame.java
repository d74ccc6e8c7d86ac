package dev.shardkit.blosc2;

import dev.shardkit.spi.bytes.Words;
import dev.shardkit.spi.plan.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes frames of at most one chunk, without compression and without metalayers (README_CFRAME_FORMAT.rst). */
final class UncompressedFrame {
    private static final int HEADER_SIZE = 97;
    private static final int TRAILER_SIZE = 35;
    private static final int MAX_BLOCK_SIZE = 1 << 20;

    private UncompressedFrame() {}

    static Bytes encode(Bytes content) {
        int size = (int) content.size();
        if (size == 0) {
            return Bytes.concat(List.of(frameHeader(0, 0, HEADER_SIZE + TRAILER_SIZE), frameTrailer()));
        }
        int cbytes = ChunkHeader.EXTENDED_SIZE + size;
        int indexSize = ChunkHeader.EXTENDED_SIZE + Long.BYTES;
        return Bytes.concat(List.of(
                frameHeader(size, cbytes, (long) HEADER_SIZE + cbytes + indexSize + TRAILER_SIZE),
                Bytes.of(chunkHeader(size)),
                content.copy(),
                // The only offset is 0.
                Bytes.of(java.util.Arrays.copyOf(chunkHeader(Long.BYTES), indexSize)),
                frameTrailer()));
    }

    /** Returns the header of a chunk whose bytes are not compressed. */
    private static byte[] chunkHeader(int nbytes) {
        byte[] header = new byte[ChunkHeader.EXTENDED_SIZE];
        header[0] = 5;
        header[1] = 1;
        header[2] = 5 | ChunkHeader.MEMCPY;
        header[3] = 1;
        Words.int32(header, 4, nbytes);
        Words.int32(header, 8, Math.min(nbytes, MAX_BLOCK_SIZE));
        Words.int32(header, 12, ChunkHeader.EXTENDED_SIZE + nbytes);
        return header;
    }

    private static Bytes frameHeader(int nbytes, int cbytes, long frameSize) {
        ByteBuffer buffer = ByteBuffer.allocate(HEADER_SIZE);
        buffer.put((byte) 0x9e).put((byte) 0xa8).put("b2frame\0".getBytes(StandardCharsets.US_ASCII));
        buffer.put((byte) 0xd2).putInt(HEADER_SIZE);
        buffer.put((byte) 0xcf).putLong(frameSize);
        buffer.put((byte) 0xa4).put(new byte[] {0x12, 0, 0, 3});
        buffer.put((byte) 0xd3).putLong(nbytes);
        buffer.put((byte) 0xd3).putLong(cbytes);
        buffer.put((byte) 0xd2).putInt(1);
        buffer.put((byte) 0xd2).putInt(Math.min(nbytes, MAX_BLOCK_SIZE));
        buffer.put((byte) 0xd2).putInt(nbytes);
        buffer.put((byte) 0xd1).putShort((short) 1);
        buffer.put((byte) 0xd1).putShort((short) 1);
        buffer.put((byte) 0xc2);
        buffer.put((byte) 0xd8).put((byte) 6).put(new byte[16]);
        buffer.put((byte) 0x93).put((byte) 0xcd).putShort((short) 7);
        buffer.put((byte) 0xde).putShort((short) 0);
        buffer.put((byte) 0xdc).putShort((short) 0);
        return Bytes.of(buffer.array());
    }

    private static Bytes frameTrailer() {
        ByteBuffer buffer = ByteBuffer.allocate(TRAILER_SIZE);
        buffer.put((byte) 0x94).put((byte) 1);
        buffer.put((byte) 0x93).put((byte) 0xcd).putShort((short) 6);
        buffer.put((byte) 0xde).putShort((short) 0);
        buffer.put((byte) 0xdc).putShort((short) 0);
        buffer.put((byte) 0xce).putInt(TRAILER_SIZE);
        buffer.put((byte) 0xd8);
        return Bytes.of(buffer.array());
    }
}
