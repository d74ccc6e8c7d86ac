package dev.shardkit.blosc2;

import dev.shardkit.spi.kernel.Words;
import dev.shardkit.spi.plan.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes frames of at most one chunk, without compression and without metalayers (README_CFRAME_FORMAT.rst). */
final class PlainFrame {
    private static final int HEADER = 97;
    private static final int TRAILER = 35;
    private static final int LARGEST_BLOCK = 1 << 20;

    private PlainFrame() {}

    static Bytes of(Bytes content) {
        int n = (int) content.size();
        if (n == 0) {
            return Bytes.concat(List.of(header(0, 0, HEADER + TRAILER), trailer()));
        }
        int cbytes = ChunkHeader.EXTENDED + n;
        int index = ChunkHeader.EXTENDED + Long.BYTES;
        return Bytes.concat(List.of(
                header(n, cbytes, (long) HEADER + cbytes + index + TRAILER),
                Bytes.of(chunk(n)),
                content.copy(),
                // The only offset is 0.
                Bytes.of(java.util.Arrays.copyOf(chunk(Long.BYTES), index)),
                trailer()));
    }

    /** Returns the header of a chunk whose bytes are stored as they are. */
    private static byte[] chunk(int nbytes) {
        byte[] header = new byte[ChunkHeader.EXTENDED];
        header[0] = 5;
        header[1] = 1;
        header[2] = 5 | ChunkHeader.MEMCPY;
        header[3] = 1;
        Words.int32(header, 4, nbytes);
        Words.int32(header, 8, Math.min(nbytes, LARGEST_BLOCK));
        Words.int32(header, 12, ChunkHeader.EXTENDED + nbytes);
        return header;
    }

    private static Bytes header(int nbytes, int cbytes, long frameSize) {
        ByteBuffer out = ByteBuffer.allocate(HEADER);
        out.put((byte) 0x9e).put((byte) 0xa8).put("b2frame\0".getBytes(StandardCharsets.US_ASCII));
        out.put((byte) 0xd2).putInt(HEADER);
        out.put((byte) 0xcf).putLong(frameSize);
        out.put((byte) 0xa4).put(new byte[] {0x12, 0, 0, 3});
        out.put((byte) 0xd3).putLong(nbytes);
        out.put((byte) 0xd3).putLong(cbytes);
        out.put((byte) 0xd2).putInt(1);
        out.put((byte) 0xd2).putInt(Math.min(nbytes, LARGEST_BLOCK));
        out.put((byte) 0xd2).putInt(nbytes);
        out.put((byte) 0xd1).putShort((short) 1);
        out.put((byte) 0xd1).putShort((short) 1);
        out.put((byte) 0xc2);
        out.put((byte) 0xd8).put((byte) 6).put(new byte[16]);
        out.put((byte) 0x93).put((byte) 0xcd).putShort((short) 7);
        out.put((byte) 0xde).putShort((short) 0);
        out.put((byte) 0xdc).putShort((short) 0);
        return Bytes.of(out.array());
    }

    private static Bytes trailer() {
        ByteBuffer out = ByteBuffer.allocate(TRAILER);
        out.put((byte) 0x94).put((byte) 1);
        out.put((byte) 0x93).put((byte) 0xcd).putShort((short) 6);
        out.put((byte) 0xde).putShort((short) 0);
        out.put((byte) 0xdc).putShort((short) 0);
        out.put((byte) 0xce).putInt(TRAILER);
        out.put((byte) 0xd8);
        return Bytes.of(out.array());
    }
}
