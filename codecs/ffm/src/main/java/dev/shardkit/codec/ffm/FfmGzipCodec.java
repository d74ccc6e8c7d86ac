package dev.shardkit.codec.ffm;

import dev.shardkit.codec.deflate.DeflateFormat;
import dev.shardkit.codec.gzip.GzipCodec;
import dev.shardkit.spi.bytes.CodecOutput;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.zip.CRC32;

/**
 * {@code gzip} with libdeflate. Decodes streams of known size that have one member without optional header fields. The
 * pure-Java codec handles all other and all invalid streams. One error goes undetected here: bytes between the end of
 * the DEFLATE stream and a matching trailer. Immutable and thread-safe.
 *
 * @param plain the pure-Java codec with the same configuration
 */
record FfmGzipCodec(GzipCodec plain) implements BytesToBytesCodec {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    /** The first four bytes of a member (RFC 1952): the magic number, method 8 (DEFLATE), no flags. */
    private static final int BEGIN = 0x00088b1f;

    /** The size of a header without optional fields. */
    private static final int HEADER = 10;
    /** The size of a trailer: the CRC-32 and the size of the decoded bytes. */
    private static final int TRAILER = 8;

    @Override
    public String name() {
        return plain.name();
    }

    @Override
    public Json.Obj configuration() {
        return plain.configuration();
    }

    @Override
    public Bytes encode(Bytes decoded, Scratch scratch) {
        HeapBytes in = HeapBytes.of(decoded, scratch, name());
        Deflate state = Deflate.of(scratch);
        int maximum = state.maxEncodedSize(plain.level(), in.size());
        if (in.size() == 0 || maximum <= 0 || maximum > Limits.LARGEST_CHUNK - HEADER - TRAILER) {
            return plain.encode(decoded, scratch);
        }
        CodecOutput out = CodecOutput.encoding(maximum + HEADER + TRAILER, scratch);
        byte[] to = out.array();
        INT.set(to, 0, BEGIN);
        INT.set(to, 4, 0); // modification time: none
        // extra flags: 2 is the best compression, 4 the fastest
        to[8] = (byte) (plain.level() == GzipCodec.HIGHEST_LEVEL ? 2 : plain.level() == 1 ? 4 : 0);
        to[9] = (byte) 0xff; // operating system: unknown
        out.advance(HEADER);
        out.advance(state.compress(plain.level(), in.array(), in.from(), in.size(), to, HEADER, maximum));
        INT.set(to, out.size(), crc(in.array(), in.from(), in.size()));
        INT.set(to, out.size() + 4, in.size());
        out.advance(TRAILER);
        return out.copy();
    }

    @Override
    public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
        if (expected.isExact() && expected.maxBytes() > 0 && expected.maxBytes() <= Limits.LARGEST_CHUNK) {
            HeapBytes in = HeapBytes.of(encoded, scratch, name());
            int size = (int) expected.maxBytes();
            if (in.size() > HEADER + TRAILER
                    && (int) INT.get(in.array(), in.from()) == BEGIN
                    && (int) INT.get(in.array(), in.to() - 4) == size
                    && size <= DeflateFormat.MAX_EXPANSION * in.size()) {
                byte[] out = scratch.borrow(size);
                int body = in.size() - HEADER - TRAILER;
                if (Deflate.of(scratch).expand(in.array(), in.from() + HEADER, body, out, 0, size)
                        && crc(out, 0, size) == (int) INT.get(in.array(), in.to() - TRAILER)) {
                    return Bytes.of(out, 0, size);
                }
            }
        }
        return plain.decode(encoded, expected, scratch);
    }

    private static int crc(byte[] in, int from, int size) {
        CRC32 crc = new CRC32();
        crc.update(in, from, size);
        return (int) crc.getValue();
    }
}
