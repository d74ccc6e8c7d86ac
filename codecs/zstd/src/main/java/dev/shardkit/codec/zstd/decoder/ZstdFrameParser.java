package dev.shardkit.codec.zstd.decoder;

import dev.shardkit.codec.zstd.frame.Trailer;
import dev.shardkit.codec.zstd.frame.ZstdFrame;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Parses the headers of the frames and blocks of a Zstandard stream (RFC 8878, section 3.1) without decoding. Finds,
 * for each frame, its position, the decoded size that its header claims, and bounds of the decoded size that follow
 * from its blocks. Used once.
 */
final class ZstdFrameParser {
    private static final int MAGIC = 0xFD2FB528;
    /** The first of the 16 magic numbers of skippable frames. */
    private static final int SKIPPABLE_MAGIC = 0x184D2A50;

    private static final int SKIPPABLE_MASK = 0xFFFFFFF0;
    /** The largest exponent of a window descriptor: 2^31 bytes, plus up to 7/8 of that. */
    private static final int LARGEST_WINDOW_EXPONENT = 21;

    private final ByteBuffer in;
    private final int start;
    private final int end;
    private final ZstdDictionary dictionary;
    private int position;

    private ZstdFrameParser(HeapBytes bytes, ZstdDictionary dictionary) {
        this.dictionary = dictionary;
        this.in = ByteBuffer.wrap(bytes.array(), 0, bytes.to()).order(ByteOrder.LITTLE_ENDIAN);
        this.start = bytes.from();
        this.end = bytes.to();
        this.position = start;
    }

    /** Returns the frames with content, without skippable ones. */
    static List<ZstdFrame> of(HeapBytes bytes, ZstdDictionary dictionary) {
        ZstdFrameParser parser = new ZstdFrameParser(bytes, dictionary);
        List<ZstdFrame> frames = new ArrayList<>(1);
        do {
            parser.next(frames);
        } while (parser.position < parser.end);
        return frames;
    }

    /** Parses a frame and adds it, or skips a skippable frame. */
    private void next(List<ZstdFrame> frames) {
        int magic = in.getInt(require(4, "a frame's magic number"));
        if (magic == MAGIC) {
            frames.add(frame(position - 4));
        } else if ((magic & SKIPPABLE_MASK) == SKIPPABLE_MAGIC) {
            long size = in.getInt(require(4, "a skippable frame's size")) & 0xffffffffL;
            require(size, "a skippable frame");
        } else {
            throw new CorruptDataException(String.format(
                    "zstd: expected a frame (fd2fb528) at byte %d, found %08x", position - 4 - start, magic));
        }
    }

    /** Parses the frame that begins at {@code from}; the position is after its magic number. */
    private ZstdFrame frame(int from) {
        int descriptor = u8(require(1, "a frame header"));
        boolean isSingleSegment = (descriptor & 0x20) != 0;
        if ((descriptor & 0x08) != 0) {
            throw new CorruptDataException(
                    String.format("zstd: expected the reserved bit unset, found descriptor %02x", descriptor));
        }
        if (!isSingleSegment) {
            checkWindow(u8(require(1, "a window descriptor")));
        }
        int idSize = (1 << (descriptor & 3)) >> 1;
        dictionary.check(number(idSize, "a dictionary id"));
        OptionalLong declaredSize = contentSize(descriptor >> 6, isSingleSegment);
        int blocks = position;
        Trailer trailer = (descriptor & 4) != 0 ? Trailer.CHECKSUM : Trailer.NOTHING;
        long[] bounds = skipBlocks();
        if (trailer == Trailer.CHECKSUM) {
            require(4, "a frame's checksum");
        }
        if (declaredSize.isPresent()
                && (declaredSize.getAsLong() < bounds[0] || declaredSize.getAsLong() > bounds[1])) {
            throw new CorruptDataException("zstd: the frame at byte " + (from - start) + " claims "
                    + Long.toUnsignedString(declaredSize.getAsLong()) + " bytes, its blocks come to " + bounds[0]
                    + " to " + bounds[1]);
        }
        return new ZstdFrame(from, blocks, position, declaredSize, bounds[0], bounds[1], trailer);
    }

    /**
     * Rejects windows that zstd does not accept. A large window needs no memory here: matches refer to the output, and
     * the decoder checks that they do not reach back before it.
     */
    private static void checkWindow(int descriptor) {
        int exponent = descriptor >> 3;
        if (exponent > LARGEST_WINDOW_EXPONENT) {
            throw new UnsupportedException(
                    "zstd: expected a window of at most 4 GiB, found one of 2^" + (10 + exponent) + " bytes");
        }
    }

    /** Reads the content size. The flag 0 to 3 means 1, 2, 4 or 8 bytes; 0 means none if there is a window. */
    private OptionalLong contentSize(int flag, boolean isSingleSegment) {
        if (flag == 0 && !isSingleSegment) {
            return OptionalLong.empty();
        }
        long size = number(1 << flag, "a content size");
        return OptionalLong.of(flag == 1 ? size + 256 : size); // two bytes state sizes from 256 on
    }

    /** Skips the blocks; returns their minimum and maximum decoded size. */
    private long[] skipBlocks() {
        long minimum = 0;
        long maximum = 0;
        boolean last = false;
        while (!last) {
            int header = (int) number(3, "a block header");
            last = (header & 1) != 0;
            int size = header >>> 3;
            if (size > ZstdFrame.LARGEST_BLOCK) {
                throw new CorruptDataException(
                        "zstd: expected a block of at most " + ZstdFrame.LARGEST_BLOCK + " bytes, found " + size);
            }
            int type = (header >> 1) & 3; // 0 is raw, 1 one repeated byte, 2 compressed
            require(type == 1 ? 1 : size, "a block");
            switch (type) {
                case 0, 1 -> {
                    minimum += size;
                    maximum += size;
                }
                case 2 -> {
                    if (size == 0) {
                        throw new CorruptDataException("zstd: a compressed block is empty");
                    }
                    maximum += ZstdFrame.LARGEST_BLOCK;
                }
                default -> throw new CorruptDataException("zstd: expected a block type of 0 to 2, found 3");
            }
        }
        return new long[] {minimum, maximum};
    }

    /** Reads a little-endian number. */
    private long number(int bytes, String description) {
        int from = require(bytes, description);
        long value = 0;
        for (int i = bytes - 1; i >= 0; i--) {
            value = value << 8 | u8(from + i);
        }
        return value;
    }

    private int u8(int i) {
        return in.get(i) & 0xff;
    }

    /** Skips {@code n} bytes and returns their start. Throws if there are fewer; {@code description} names them. */
    private int require(long n, String description) {
        if (n > end - position) {
            throw new CorruptDataException(
                    "zstd: expected " + n + " more bytes of " + description + ", found " + (end - position));
        }
        int from = position;
        position += (int) n;
        return from;
    }
}
