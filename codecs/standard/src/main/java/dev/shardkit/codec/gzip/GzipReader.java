package dev.shardkit.codec.gzip;

import dev.shardkit.codec.deflate.DeflateFormat;
import dev.shardkit.spi.bytes.CodecOutput;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;

/** Decodes a chunk in gzip format: one member after the other (RFC 1952). Used once. */
final class GzipReader {
    static final int MAGIC_1 = 0x1f;
    static final int MAGIC_2 = 0x8b;
    /** The number of the compression method, the only one that the format defines. */
    static final int DEFLATE = 8;

    // The flags of optional header fields, by their names in RFC 1952, section 2.3.1.
    private static final int FHCRC = 2;
    private static final int FEXTRA = 4;
    private static final int FNAME = 8;
    private static final int FCOMMENT = 16;
    private static final int RESERVED = 0xe0;
    /** The size of a header without optional fields. */
    private static final int FIXED_HEADER = 10;
    /** The size of a trailer: the CRC-32 and the size of the decoded bytes. */
    private static final int TRAILER = 8;

    private final HeapBytes in;
    private final DecodedSize expected;
    private final ByteBuffer view;
    private final Scratch scratch;
    private final CodecOutput out;
    private int position;

    private GzipReader(HeapBytes in, DecodedSize expected, Scratch scratch) {
        this.in = in;
        this.expected = expected;
        this.view = ByteBuffer.wrap(in.array(), 0, in.to()).order(ByteOrder.LITTLE_ENDIAN);
        this.scratch = scratch;
        this.out = DeflateFormat.room(in, expected, GzipCodec.NAME, scratch);
        this.position = in.from();
    }

    /** Returns the content of all members, which must have the expected size. */
    static Bytes read(HeapBytes in, DecodedSize expected, Scratch scratch) {
        GzipReader reader = new GzipReader(in, expected, scratch);
        do {
            reader.readMember();
        } while (reader.position < in.to());
        Bytes decoded = reader.out.borrowed();
        expected.check(decoded.size(), "gzip decoded");
        return decoded;
    }

    /** Decodes one member and checks its trailer. */
    private void readMember() {
        readHeader();
        int start = out.size();
        position = DeflateFormat.RAW.decode(in, position, out, expected, GzipCodec.NAME, scratch);
        require(TRAILER, "the trailer");
        CRC32 crc = new CRC32();
        crc.update(out.array(), start, out.size() - start);
        int stored = view.getInt(position);
        if (stored != (int) crc.getValue()) {
            throw new ChecksumException(
                    String.format("gzip CRC-32: stored 0x%08x, computed 0x%08x", stored, crc.getValue()));
        }
        int size = view.getInt(position + 4);
        if (size != out.size() - start) {
            throw new CorruptDataException(
                    "gzip: the trailer says " + Integer.toUnsignedLong(size) + " bytes, found " + (out.size() - start));
        }
        position += TRAILER;
    }

    /** Checks the header of a member and skips its optional fields. */
    private void readHeader() {
        int start = position;
        require(FIXED_HEADER, "a member's header");
        if (u8(position) != MAGIC_1 || u8(position + 1) != MAGIC_2) {
            throw new CorruptDataException(String.format(
                    "gzip: expected a member (1f 8b) at byte %d, found %02x %02x",
                    position - in.from(), u8(position), u8(position + 1)));
        }
        int flags = u8(position + 3);
        if (u8(position + 2) != DEFLATE || (flags & RESERVED) != 0) {
            throw new CorruptDataException(String.format(
                    "gzip: expected method 8 and no reserved flags, found method %d, flags %02x",
                    u8(position + 2), flags));
        }
        position += FIXED_HEADER;
        if ((flags & FEXTRA) != 0) {
            require(2, "FEXTRA");
            int length = view.getShort(position) & 0xffff;
            position += 2;
            require(length, "FEXTRA");
            position += length;
        }
        if ((flags & FNAME) != 0) {
            skipText("FNAME");
        }
        if ((flags & FCOMMENT) != 0) {
            skipText("FCOMMENT");
        }
        if ((flags & FHCRC) != 0) {
            require(2, "FHCRC");
            checkHeader(start);
            position += 2;
        }
    }

    /** Checks the optional checksum of the header: the lower half of its CRC-32. */
    private void checkHeader(int start) {
        CRC32 crc = new CRC32();
        crc.update(in.array(), start, position - start);
        int stored = view.getShort(position) & 0xffff;
        int computed = (int) crc.getValue() & 0xffff;
        if (stored != computed) {
            throw new ChecksumException(
                    String.format("gzip header CRC-16: stored 0x%04x, computed 0x%04x", stored, computed));
        }
    }

    private void skipText(String description) {
        do {
            require(1, description);
        } while (in.array()[position++] != 0);
    }

    private int u8(int i) {
        return in.array()[i] & 0xff;
    }

    private void require(int count, String description) {
        if (in.to() - position < count) {
            throw new CorruptDataException(
                    "gzip: expected " + count + " more bytes of " + description + ", found " + (in.to() - position));
        }
    }
}
