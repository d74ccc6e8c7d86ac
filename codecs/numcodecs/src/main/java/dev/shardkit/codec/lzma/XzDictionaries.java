package dev.shardkit.codec.lzma;

import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.bytes.Words;
import dev.shardkit.spi.plan.Scratch;
import java.util.zip.CRC32;

/**
 * Lowers the dictionary sizes that an .xz stream states to the maximum size of its content. A decoder allocates a
 * dictionary of the stated size for each block, 8 MiB at the usual preset, even if the block has a few bytes. No match
 * can refer to bytes before the start of the content, so a dictionary as large as the content is enough. Stops at the
 * first unexpected byte, which the decoder then reports. Used by one thread.
 *
 * <p>The specification of the format is at tukaani.org/xz/xz-file-format.txt. All sizes there are multiples of a word
 * of four bytes.
 */
final class XzDictionaries {
    /** The first four of the six bytes that begin a stream, as a little-endian number. */
    private static final int MAGIC = 0x587a37fd;

    private static final int STREAM_HEADER = 12;
    private static final int STREAM_FOOTER = 12;
    private static final int WORD = Integer.BYTES;
    /** The number of the LZMA2 filter. */
    private static final int LZMA2 = 0x21;
    /** The flag of a block's header which tells that the header states the encoded size of the block. */
    private static final int HAS_ENCODED_SIZE = 0x40;
    /** The flag of a block's header which tells that the header states the decoded size of the block. */
    private static final int HAS_DECODED_SIZE = 0x80;
    /** Control bytes of LZMA2 from this one on begin a compressed chunk. */
    private static final int COMPRESSED = 0x80;
    /** Control bytes of LZMA2 from this one on begin a compressed chunk whose header has one more byte. */
    private static final int NEW_PROPERTIES = 0xc0;
    /** The code of the largest dictionary, 4 GiB. */
    private static final int LARGEST_CODE = 40;

    /** The position after an unexpected byte. */
    private static final int NONE = -1;

    private final byte[] in;
    private final int size;
    /** The code of the smallest sufficient dictionary. A code is the byte in which a filter states its dictionary. */
    private final int code;
    /** The index of the next byte, or {@link #NONE} after an unexpected byte. */
    private int position;

    private XzDictionaries(byte[] in, int size, int code) {
        this.in = in;
        this.size = size;
        this.code = code;
    }

    /** Returns a copy of the stream with dictionaries for at most {@code maximum} decoded bytes. */
    static HeapBytes bounded(HeapBytes stream, long maximum, Scratch scratch) {
        int code = 0;
        // The codes 0, 1, 2 ... stand for 4 KiB, 6 KiB, 8 KiB, 12 KiB, 16 KiB ...: 2 or 3 times a power of two. Finds
        // the first one that is large enough.
        while (code < LARGEST_CODE && (2L | code & 1) << code / 2 + 11 < maximum) {
            code++;
        }
        byte[] copy = scratch.borrow(stream.size());
        System.arraycopy(stream.array(), stream.from(), copy, 0, stream.size());
        XzDictionaries walker = new XzDictionaries(copy, stream.size(), code);
        while (walker.position >= 0 && walker.position < walker.size) {
            walker.walkStream();
        }
        return new HeapBytes(copy, 0, stream.size());
    }

    /** Walks a stream, or four bytes of padding between streams. */
    private void walkStream() {
        if (size - position >= WORD && Words.int32(in, position) == 0) {
            position += WORD;
            return;
        }
        if (size - position < STREAM_HEADER || Words.int32(in, position) != MAGIC) {
            position = NONE;
            return;
        }
        int checkType = in[position + 7] & 15;
        position += STREAM_HEADER;
        while (position >= 0 && position < size && in[position] != 0) {
            // types 1 to 3 have checks of 4 bytes, 4 to 6 of 8 bytes, 7 to 9 of 16 bytes ...
            walkBlock(checkType == 0 ? 0 : WORD << (checkType - 1) / 3);
        }
        if (position >= 0 && position < size) {
            walkIndex();
        }
    }

    /** Walks a block, and lowers the size of the dictionary in its header. */
    private void walkBlock(int checkSize) {
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
                readNumber();
            }
        }
        long filterId = NONE;
        // the lowest two bits of the flags are the number of filters minus 1
        for (int i = 0; i <= (flags & 3) && position >= 0; i++) {
            filterId = readNumber();
            long propertyBytes = readNumber();
            if (position < 0 || propertyBytes > crc - position) {
                position = NONE;
                return;
            }
            if (filterId == LZMA2 && propertyBytes == 1 && isLarger(in[position] & 0xff)) {
                in[position] = (byte) code;
                Words.int32(in, crc, crc32(start, crc));
            }
            position += (int) propertyBytes;
        }
        if (position >= 0 && filterId == LZMA2) {
            position = end;
            walkChunks();
            // the block is padded to a multiple of a word; its check follows
            skip((WORD - (position - end) % WORD) % WORD + (long) checkSize);
        } else {
            position = NONE;
        }
    }

    /** Returns whether a filter's property is the valid code of a dictionary that is larger than necessary. */
    private boolean isLarger(int property) {
        return property > code && property <= LARGEST_CODE;
    }

    /** Walks the chunks of LZMA2, whose headers state their sizes. */
    private void walkChunks() {
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
    private void walkIndex() {
        int start = position++;
        long records = readNumber();
        for (long i = 0; i < records && position >= 0; i++) {
            readNumber();
            readNumber();
        }
        // the index is padded to a multiple of a word; its checksum of one word follows, then the footer
        skip((WORD - (position - start) % WORD) % WORD + WORD + STREAM_FOOTER);
    }

    /** Skips bytes; gives up ({@link #NONE}) if the stream ends before them. */
    private void skip(long bytes) {
        position = position < 0 || bytes > size - position ? NONE : position + (int) bytes;
    }

    /** Reads a number of 7 bits in each byte, the lowest first. */
    private long readNumber() {
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
