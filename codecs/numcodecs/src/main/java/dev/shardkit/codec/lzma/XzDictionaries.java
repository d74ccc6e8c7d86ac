package dev.shardkit.codec.lzma;

import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.bytes.Words;
import dev.shardkit.spi.plan.Scratch;
import java.util.zip.CRC32;

/**
 * Lowers the dictionary sizes that an .xz stream states to what its content can need: a decoder allocates a dictionary
 * of the stated size for each block, 8 MiB at the usual preset, however little the block holds. No distance is larger
 * than what was decoded before, so content of {@code most} bytes decodes the same. It stops at the first byte that it
 * does not expect; the decoder reports that one. Used by one thread.
 */
final class XzDictionaries {
    private static final int MAGIC = 0x587a37fd;
    private static final int STREAM_HEADER = 12;
    private static final int STREAM_FOOTER = 12;
    private static final int WORD = Integer.BYTES;
    private static final int LZMA2 = 0x21;
    private static final int HAS_ENCODED_SIZE = 0x40;
    private static final int HAS_DECODED_SIZE = 0x80;
    /** From here on a chunk of LZMA2 is compressed; from the second on it states new properties. */
    private static final int COMPRESSED = 0x80;

    private static final int NEW_PROPERTIES = 0xc0;
    private static final int LARGEST_CODE = 40;
    private static final int NONE = -1;

    private final byte[] in;
    private final int size;
    private final int code;
    /** The next byte, or {@link #NONE} after an unexpected one. */
    private int position;

    private XzDictionaries(byte[] in, int size, int code) {
        this.in = in;
        this.size = size;
        this.code = code;
    }

    /** Returns a copy of the stream with dictionaries for at most {@code maximum} decoded bytes. */
    static HeapBytes bounded(HeapBytes stream, long maximum, Scratch scratch) {
        int code = 0;
        while (code < LARGEST_CODE && (2L | code & 1) << code / 2 + 11 < maximum) {
            code++;
        }
        byte[] copy = scratch.borrow(stream.size());
        System.arraycopy(stream.array(), stream.from(), copy, 0, stream.size());
        XzDictionaries walk = new XzDictionaries(copy, stream.size(), code);
        while (walk.position >= 0 && walk.position < walk.size) {
            walk.stream();
        }
        return new HeapBytes(copy, 0, stream.size());
    }

    /** Walks a stream, or four bytes of padding between streams. */
    private void stream() {
        if (size - position >= WORD && Words.int32(in, position) == 0) {
            position += WORD;
            return;
        }
        if (size - position < STREAM_HEADER || Words.int32(in, position) != MAGIC) {
            position = NONE;
            return;
        }
        int check = in[position + 7] & 15;
        position += STREAM_HEADER;
        while (position >= 0 && position < size && in[position] != 0) {
            block(check == 0 ? 0 : WORD << (check - 1) / 3);
        }
        if (position >= 0 && position < size) {
            index();
        }
    }

    private void block(int checkSize) {
        int start = position;
        int end = start + ((in[start] & 0xff) + 1) * WORD;
        int crc = end - WORD;
        if (end > size || Words.int32(in, crc) != crc32(start, crc)) {
            position = NONE;
            return;
        }
        int flags = in[start + 1] & 0xff;
        position = start + 2;
        for (int flag : new int[] {HAS_ENCODED_SIZE, HAS_DECODED_SIZE}) {
            if ((flags & flag) != 0) {
                number();
            }
        }
        long filter = NONE;
        for (int i = 0; i <= (flags & 3) && position >= 0; i++) {
            filter = number();
            long properties = number();
            if (position < 0 || properties > crc - position) {
                position = NONE;
                return;
            }
            if (filter == LZMA2 && properties == 1 && isLarger(in[position] & 0xff)) {
                in[position] = (byte) code;
                Words.int32(in, crc, crc32(start, crc));
            }
            position += (int) properties;
        }
        if (position >= 0 && filter == LZMA2) {
            position = end;
            chunks();
            skip((WORD - (position - end) % WORD) % WORD + (long) checkSize);
        } else {
            position = NONE;
        }
    }

    /** Returns whether a valid property states more than the dictionary needs; the decoder refuses invalid ones. */
    private boolean isLarger(int property) {
        return property > code && property <= LARGEST_CODE;
    }

    /** Walks the chunks of LZMA2, whose headers state their sizes. */
    private void chunks() {
        while (position >= 0 && position < size) {
            int control = in[position] & 0xff;
            if (control == 0) {
                position++;
                return;
            }
            int sizeAt = position + (control >= COMPRESSED ? 3 : 1);
            if (sizeAt > size - 2 || control > 2 && control < COMPRESSED) {
                position = NONE;
                return;
            }
            int header = control < COMPRESSED ? 3 : control < NEW_PROPERTIES ? 5 : 6;
            skip(header + 1L + ((in[sizeAt] & 0xff) << Byte.SIZE | in[sizeAt + 1] & 0xff));
        }
        position = NONE;
    }

    /** Walks the index and the footer. */
    private void index() {
        int start = position++;
        long records = number();
        for (long i = 0; i < records && position >= 0; i++) {
            number();
            number();
        }
        skip((WORD - (position - start) % WORD) % WORD + WORD + STREAM_FOOTER);
    }

    private void skip(long bytes) {
        position = position < 0 || bytes > size - position ? NONE : position + (int) bytes;
    }

    /** Reads a number of 7 bits in each byte, the lowest first. */
    private long number() {
        long value = 0;
        for (int shift = 0; position >= 0 && position < size && shift < Long.SIZE - 1; shift += 7) {
            byte next = in[position++];
            value |= (next & 0x7fL) << shift;
            if (next >= 0) {
                return value;
            }
        }
        position = NONE;
        return 0;
    }

    private int crc32(int from, int to) {
        CRC32 crc = new CRC32();
        crc.update(in, from, to - from);
        return (int) crc.getValue();
    }
}
