package dev.shardkit.codec.gzip;

import dev.shardkit.codec.deflate.DeflateFormat;
import dev.shardkit.spi.bytes.CodecOutput;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;

/** Encodes a chunk as one gzip member (RFC 1952) without optional header fields. */
final class GzipWriter {
    private static final int HEADER = 10;
    private static final int TRAILER = 8;

    private GzipWriter() {}

    /** Returns the member that encodes all bytes of {@code in}. */
    static Bytes write(HeapBytes in, int level, Scratch scratch) {
        CodecOutput out = DeflateFormat.room(in.size(), scratch);
        out.array()[0] = (byte) GzipReader.MAGIC_1;
        out.array()[1] = (byte) GzipReader.MAGIC_2;
        out.array()[2] = GzipReader.DEFLATE;
        Arrays.fill(out.array(), 3, HEADER, (byte) 0);
        // extra flags: 2 is the best compression, 4 the fastest
        out.array()[8] = (byte) (level == GzipCodec.HIGHEST_LEVEL ? 2 : level == 1 ? 4 : 0);
        out.array()[9] = (byte) 0xff; // operating system: unknown
        out.advance(HEADER);
        DeflateFormat.RAW.encode(in, level, out, GzipCodec.NAME, scratch);
        CRC32 crc = new CRC32();
        crc.update(in.array(), in.from(), in.size());
        while (out.capacity() - out.size() < TRAILER) {
            DeflateFormat.grow(out, GzipCodec.NAME);
        }
        ByteBuffer.wrap(out.array())
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(out.size(), (int) crc.getValue())
                .putInt(out.size() + 4, in.size());
        out.advance(TRAILER);
        return out.copy();
    }
}
