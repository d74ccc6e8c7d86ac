package dev.shardkit.codec.gzip;

import dev.shardkit.codec.deflate.DeflateFormat;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.kernel.CodecOutput;
import dev.shardkit.spi.kernel.HeapBytes;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;

/** Reads consecutive gzip members. Used once. */
final class GzipReader {
    static final int MAGIC_1 = 0x1f;
    static final int MAGIC_2 = 0x8b;
    static final int DEFLATE = 8;

    private static final int FHCRC = 2;
    private static final int FEXTRA = 4;
    private static final int FNAME = 8;
    private static final int FCOMMENT = 16;
    private static final int RESERVED = 0xe0;
    private static final int FIXED_HEADER = 10;
    private static final int TRAILER = 8;

    private final HeapBytes in;
    private final DecodedSize expected;
    private final ByteBuffer view;
    private final Scratch scratch;
    private final CodecOutput out;
    private int at;

    private GzipReader(HeapBytes in, DecodedSize expected, Scratch scratch) {
        this.in = in;
        this.expected = expected;
        this.view = ByteBuffer.wrap(in.array(), 0, in.to()).order(ByteOrder.LITTLE_ENDIAN);
        this.scratch = scratch;
        this.out = DeflateFormat.room(in, expected, GzipCodec.NAME, scratch);
        this.at = in.from();
    }

    static Bytes read(HeapBytes in, DecodedSize expected, Scratch scratch) {
        GzipReader reader = new GzipReader(in, expected, scratch);
        do {
            reader.member();
        } while (reader.at < in.to());
        Bytes decoded = reader.out.borrowed();
        expected.check(decoded.size(), "gzip decoded");
        return decoded;
    }

    private void member() {
        header();
        int start = out.size();
        at = DeflateFormat.RAW.decode(in, at, out, expected, GzipCodec.NAME, scratch);
        need(TRAILER, "the trailer");
        CRC32 crc = new CRC32();
        crc.update(out.array(), start, out.size() - start);
        int stored = view.getInt(at);
        if (stored != (int) crc.getValue()) {
            throw new ChecksumException(
                    String.format("gzip CRC-32: stored 0x%08x, computed 0x%08x", stored, crc.getValue()));
        }
        int size = view.getInt(at + 4);
        if (size != out.size() - start) {
            throw new CorruptDataException(
                    "gzip: the trailer says " + Integer.toUnsignedLong(size) + " bytes, found " + (out.size() - start));
        }
        at += TRAILER;
    }

    private void header() {
        int start = at;
        need(FIXED_HEADER, "a member's header");
        if (u8(at) != MAGIC_1 || u8(at + 1) != MAGIC_2) {
            throw new CorruptDataException(String.format(
                    "gzip: expected a member (1f 8b) at byte %d, found %02x %02x", at - in.from(), u8(at), u8(at + 1)));
        }
        int flags = u8(at + 3);
        if (u8(at + 2) != DEFLATE || (flags & RESERVED) != 0) {
            throw new CorruptDataException(String.format(
                    "gzip: expected method 8 and no reserved flags, found method %d, flags %02x", u8(at + 2), flags));
        }
        at += FIXED_HEADER;
        if ((flags & FEXTRA) != 0) {
            need(2, "FEXTRA");
            int length = view.getShort(at) & 0xffff;
            at += 2;
            need(length, "FEXTRA");
            at += length;
        }
        if ((flags & FNAME) != 0) {
            skipText("FNAME");
        }
        if ((flags & FCOMMENT) != 0) {
            skipText("FCOMMENT");
        }
        if ((flags & FHCRC) != 0) {
            need(2, "FHCRC");
            checkHeader(start);
            at += 2;
        }
    }

    private void checkHeader(int start) {
        CRC32 crc = new CRC32();
        crc.update(in.array(), start, at - start);
        int stored = view.getShort(at) & 0xffff;
        int computed = (int) crc.getValue() & 0xffff;
        if (stored != computed) {
            throw new ChecksumException(
                    String.format("gzip header CRC-16: stored 0x%04x, computed 0x%04x", stored, computed));
        }
    }

    private void skipText(String what) {
        do {
            need(1, what);
        } while (in.array()[at++] != 0);
    }

    private int u8(int i) {
        return in.array()[i] & 0xff;
    }

    private void need(int n, String what) {
        if (in.to() - at < n) {
            throw new CorruptDataException(
                    "gzip: expected " + n + " more bytes of " + what + ", found " + (in.to() - at));
        }
    }
}
