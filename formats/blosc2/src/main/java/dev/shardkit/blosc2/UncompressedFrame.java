package dev.shardkit.blosc2;

import dev.shardkit.spi.bytes.Words;
import dev.shardkit.spi.plan.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes Blosc2 frames of at most one chunk, without compression and without metalayers (README_CFRAME_FORMAT.rst).
 * {@link FrameCodec} encodes with it.
 */
final class UncompressedFrame {
    private static final int HEADER_SIZE = 97;
    private static final int TRAILER_SIZE = 35;
    private static final int MAX_BLOCK_SIZE = 1 << 20;

    private UncompressedFrame() {}

    /** Returns a frame with this content: header, chunk, index of chunks, trailer. */
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
                // The index is a chunk with the offset of the only chunk, which is 0.
                Bytes.of(java.util.Arrays.copyOf(chunkHeader(Long.BYTES), indexSize)),
                frameTrailer()));
    }

    /** Returns the header of a chunk whose bytes are not compressed. */
    private static byte[] chunkHeader(int nbytes) {
        byte[] header = new byte[ChunkHeader.EXTENDED_SIZE];
        header[0] = 5; // version of the chunk format
        header[1] = 1; // version of the compressor
        header[2] = 5 | ChunkHeader.MEMCPY;
        header[3] = 1; // element size
        Words.int32(header, 4, nbytes);
        Words.int32(header, 8, Math.min(nbytes, MAX_BLOCK_SIZE));
        Words.int32(header, 12, ChunkHeader.EXTENDED_SIZE + nbytes);
        return header;
    }

    /** Returns the header: a MessagePack list of 14 members, each with the tag of its type before its value. */
    private static Bytes frameHeader(int nbytes, int cbytes, long frameSize) {
        ByteBuffer buffer = ByteBuffer.allocate(HEADER_SIZE);
        buffer.put((byte) 0x9e).put((byte) 0xa8).put("b2frame\0".getBytes(StandardCharsets.US_ASCII));
        buffer.put((byte) 0xd2).putInt(HEADER_SIZE);
        buffer.put((byte) 0xcf).putLong(frameSize);
        buffer.put((byte) 0xa4).put(new byte[] {0x12, 0, 0, 3}); // flags
        buffer.put((byte) 0xd3).putLong(nbytes);
        buffer.put((byte) 0xd3).putLong(cbytes);
        buffer.put((byte) 0xd2).putInt(1); // element size
        buffer.put((byte) 0xd2).putInt(Math.min(nbytes, MAX_BLOCK_SIZE)); // block size
        buffer.put((byte) 0xd2).putInt(nbytes); // chunk size
        buffer.put((byte) 0xd1).putShort((short) 1); // threads for compression
        buffer.put((byte) 0xd1).putShort((short) 1); // threads for decompression
        buffer.put((byte) 0xc2); // no metalayers in the trailer
        buffer.put((byte) 0xd8).put((byte) 6).put(new byte[16]); // filters: none
        // metalayers: the size of this map, an empty map of names, an empty list of contents
        buffer.put((byte) 0x93).put((byte) 0xcd).putShort((short) 7);
        buffer.put((byte) 0xde).putShort((short) 0);
        buffer.put((byte) 0xdc).putShort((short) 0);
        return Bytes.of(buffer.array());
    }

    /** Returns the trailer: a version, no metalayers, the size of the trailer and an empty fingerprint. */
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
