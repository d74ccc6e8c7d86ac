package dev.shardkit.codec.zstd.decoder;

import dev.shardkit.codec.zstd.frame.MalformedFrame;
import dev.shardkit.codec.zstd.frame.Trailer;
import dev.shardkit.codec.zstd.frame.XxHash64;
import dev.shardkit.codec.zstd.frame.ZstdFrame;
import dev.shardkit.spi.bytes.CodecOutput;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.bytes.Words;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.util.Arrays;
import java.util.List;

/**
 * Decodes Zstandard streams (RFC 8878) in plain Java: any number of frames of any level, with or without content size
 * and checksum, and windows up to 4 GiB. Skips skippable frames. It decodes data in memory, not streams. If a frame
 * needs a dictionary and the caller gave none, throws {@link dev.shardkit.spi.error.UnsupportedException}. Reports
 * every other fault by a {@link CorruptDataException} that names the byte.
 *
 * <p>An instance holds the tables and buffers of one worker, about 180 KiB; a frame costs a few small objects in
 * addition to its output. Not thread-safe.
 *
 * <p>Speed in MB for each second of CPU time, this decoder : aircompressor 2.0.3, one thread of the same process,
 * frames of zstd's level 3, JDK 17. The machine was busy, so only the ratios count. 32^3 uint16 with 4 bits of noise
 * 421 : 371; 64 KiB of uint16 with more noise 644 : 502, the same byte-shuffled 1038 : 944; source text 586 : 535;
 * frames of 512 bytes 97 : 79.
 */
public final class ZstdDecoder implements AutoCloseable {
    /** The key of the decoder that a scratch keeps. */
    private static final Object STATE = new Object();

    /** The type of a block that is stored uncompressed (RFC 8878, section 3.1.1.2.2). */
    private static final int RAW = 0;
    /** The type of a block that repeats one byte. */
    private static final int RLE = 1;
    /** The position in the output to stop at if everything is decoded. */
    private static final int NOWHERE = Integer.MAX_VALUE;

    private final ZstdBlockDecoder blocks = new ZstdBlockDecoder();

    /** Creates a decoder for one worker. */
    public ZstdDecoder() {}

    /** Decodes all frames of {@code in} into memory of the scratch, which also keeps the decoder. */
    public static Bytes read(HeapBytes in, DecodedSize expected, Scratch scratch) {
        List<ZstdFrame> frames = ZstdFrameParser.of(in, ZstdDictionary.NONE);
        Bytes decoded = read(frames, in, expected, NOWHERE, scratch);
        expected.check(decoded.size(), "zstd decoded");
        return decoded;
    }

    /**
     * Decodes only the blocks and sequences up to the end of {@code part}. Still parses all frame headers. If any frame
     * has a checksum, decodes everything, because a checksum covers the whole frame.
     */
    public static Bytes readPart(HeapBytes in, DecodedSize.Exact expected, ByteRange.Slice part, Scratch scratch) {
        List<ZstdFrame> frames = ZstdFrameParser.of(in, ZstdDictionary.NONE);
        boolean readsAll = part.end() >= expected.bytes() || ZstdFrame.anyChecksum(frames);
        Bytes decoded = read(frames, in, expected, readsAll ? NOWHERE : (int) part.end(), scratch);
        if (readsAll || decoded.size() < part.end()) {
            expected.check(decoded.size(), "zstd decoded");
        }
        return decoded.slice(part);
    }

    private static Bytes read(
            List<ZstdFrame> frames, HeapBytes in, DecodedSize expected, int stopAfter, Scratch scratch) {
        ZstdFrame.check(frames, expected);
        long minimum = 1;
        long claimedSize = 1;
        for (ZstdFrame f : frames) {
            minimum += f.minSize();
            claimedSize += f.contentSize().orElse(f.maxSize());
        }
        // The sizes of raw and RLE blocks are certain. A claimed size is trusted only up to 16 times the encoded size
        // (at least 64 KiB): if a frame claims more, the memory grows while the output does.
        long estimate = Math.max(minimum, Math.min(claimedSize, Math.max(64 << 10, 16L * in.size())));
        CodecOutput out = CodecOutput.decoding(expected, estimate, scratch);
        ZstdDecoder decoder = scratch.state(STATE, ZstdDecoder::new);
        for (ZstdFrame f : frames) {
            decoder.frame(f, ZstdDictionary.NONE, in, out, expected, stopAfter);
        }
        return out.borrowed();
    }

    /** Decodes all frames of {@code in}, which must have exactly {@code size} bytes, into {@code out}. */
    public void expand(HeapBytes in, byte[] out, int outOffset, int size) {
        expand(in, out, outOffset, size, size);
    }

    /**
     * Decodes frames that have exactly {@code size} bytes, but may stop after the first {@code requested} bytes, as
     * {@link #readPart} does. The bytes after them are then arbitrary.
     */
    public void expand(HeapBytes in, byte[] out, int outOffset, int size, int requested) {
        DecodedSize expected = DecodedSize.exactly(size);
        List<ZstdFrame> frames = ZstdFrameParser.of(in, ZstdDictionary.NONE);
        ZstdFrame.check(frames, expected);
        boolean readsAll = requested >= size || ZstdFrame.anyChecksum(frames);
        CodecOutput output = CodecOutput.within(out, outOffset, outOffset + size);
        for (ZstdFrame f : frames) {
            frame(f, ZstdDictionary.NONE, in, output, expected, readsAll ? NOWHERE : outOffset + requested);
        }
        if (readsAll || output.size() < outOffset + requested) {
            expected.check(output.size() - outOffset, "zstd decoded");
        }
    }

    /**
     * Decodes a frame that may refer to {@code dictionary}. Its content must have exactly {@code size} bytes.
     *
     * @param out holds the content of the dictionary right before {@code outOffset}
     */
    public void expand(HeapBytes in, ZstdDictionary dictionary, byte[] out, int outOffset, int size) {
        DecodedSize expected = DecodedSize.exactly(size);
        List<ZstdFrame> frames = ZstdFrameParser.of(in, dictionary);
        if (frames.size() != 1) { // a second frame's output would not follow the content of the dictionary
            throw new CorruptDataException("zstd: expected one frame with a dictionary, found " + frames.size());
        }
        ZstdFrame.check(frames, expected);
        CodecOutput output = CodecOutput.within(out, outOffset, outOffset + size);
        frame(frames.get(0), dictionary, in, output, expected, NOWHERE);
        expected.check(output.size() - outOffset, "zstd decoded");
    }

    private void frame(
            ZstdFrame frame,
            ZstdDictionary dictionary,
            HeapBytes in,
            CodecOutput out,
            DecodedSize expected,
            int stopAfter) {
        if (out.size() >= stopAfter) {
            return;
        }
        int start = out.size();
        try {
            blocks.reset(dictionary);
            blocks(frame, in, out, expected, stopAfter);
        } catch (MalformedFrame e) {
            throw new CorruptDataException("zstd: at byte " + (e.position() - in.from()) + ": " + e.getMessage());
        } catch (IndexOutOfBoundsException e) {
            throw new CorruptDataException(describe(frame, in) + " cannot be decoded: " + e, e);
        }
        if (out.size() >= stopAfter) {
            return; // the rest of the frame was not decoded
        }
        long actual = out.size() - start;
        if (frame.contentSize().orElse(actual) != actual) {
            throw new CorruptDataException(describe(frame, in) + declaredSize(frame) + actual);
        }
        if (frame.trailer() == Trailer.CHECKSUM) {
            int stored = Words.int32(in.array(), frame.to() - 4);
            int computed = (int) XxHash64.of(out.array(), start, out.size());
            if (stored != computed) {
                throw new ChecksumException(String.format(
                        "%s: the checksum does not match: expected %08x, found %08x",
                        describe(frame, in), stored, computed));
            }
        }
    }

    private void blocks(ZstdFrame frame, HeapBytes in, CodecOutput out, DecodedSize expected, int stopAfter) {
        byte[] array = in.array();
        int start = out.size();
        int position = frame.blocks();
        boolean last = false;
        while (!last && out.size() < stopAfter) {
            // A block header has 3 bytes. It is read with the byte before it, which always exists: a byte of the frame
            // header or of the previous block.
            int header = Words.int32(array, position - 1) >>> 8;
            last = (header & 1) != 0;
            int type = header >> 1 & 3;
            int size = header >>> 3;
            position += 3;
            if (type == RAW || type == RLE) { // for RLE, the size is that of the content
                if (grow(out, size) < size) {
                    throw CodecOutput.tooMuch(expected, "zstd");
                }
                if (type == RAW) {
                    System.arraycopy(array, position, out.array(), out.size(), size);
                } else {
                    Arrays.fill(out.array(), out.size(), out.size() + size, array[position]);
                }
                out.advance(size);
                position += type == RAW ? size : 1;
            } else { // compressed: the parser has refused type 3
                compressed(frame, in, position, position + size, start, out, expected, stopAfter);
                position += size;
            }
        }
    }

    /**
     * Decodes a compressed block.
     *
     * @param from the start of the block's content in {@code in}, which ends at {@code to}
     * @param start the start of the frame's content in {@code out}
     */
    private void compressed(
            ZstdFrame frame,
            HeapBytes in,
            int from,
            int to,
            int start,
            CodecOutput out,
            DecodedSize expected,
            int stopAfter) {
        long claimed = frame.contentSize().orElse(Long.MAX_VALUE) - (out.size() - start);
        int capacity = grow(out, (int) Math.max(0, Math.min(claimed, ZstdFrame.LARGEST_BLOCK)));
        try {
            int limit = out.size() + Math.min(capacity, ZstdFrame.LARGEST_BLOCK);
            int end = blocks.decode(
                    in.array(), from, to, out.array(), start, out.size(), limit, out.capacity(), stopAfter);
            out.advance(end - out.size());
        } catch (BlockLimitExceeded e) {
            if (capacity > ZstdFrame.LARGEST_BLOCK) {
                throw new MalformedFrame(
                        from, "expected a block of at most " + ZstdFrame.LARGEST_BLOCK + " bytes, found more");
            }
            throw capacity >= claimed
                    ? new CorruptDataException(describe(frame, in) + declaredSize(frame) + "more")
                    : CodecOutput.tooMuch(expected, "zstd");
        }
    }

    /** Grows the output for {@code bytes} more bytes if possible. Returns the number of bytes that fit. */
    private static int grow(CodecOutput out, int bytes) {
        while (out.capacity() - out.size() < bytes && out.grow()) {
            // grows step by step, until the bytes fit or the output may not grow further
        }
        return out.capacity() - out.size();
    }

    private static String describe(ZstdFrame frame, HeapBytes in) {
        return "zstd: the frame at byte " + (frame.from() - in.from());
    }

    private static String declaredSize(ZstdFrame frame) {
        return " claims " + frame.contentSize().orElse(0) + " bytes, found ";
    }

    /** Does nothing: there is nothing to close. */
    @Override
    public void close() {}
}
