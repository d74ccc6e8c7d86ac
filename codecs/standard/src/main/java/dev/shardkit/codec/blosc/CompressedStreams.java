package dev.shardkit.codec.blosc;

import static dev.shardkit.codec.blosc.BloscHeader.corrupt;

import dev.shardkit.codec.deflate.DeflateDecoder;
import dev.shardkit.codec.deflate.DeflateFormat;
import dev.shardkit.codec.lz4.Lz4Decoder;
import dev.shardkit.codec.zstd.decoder.ZstdDecoder;
import dev.shardkit.codec.zstd.decoder.ZstdDictionary;
import dev.shardkit.codec.zstd.encoder.ZstdEncoder;
import dev.shardkit.codec.zstd.frame.Trailer;
import dev.shardkit.spi.bytes.CodecOutput;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Scratch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.zip.Deflater;

/**
 * Expands and compresses single streams by any compressor of Blosc. A worker keeps one object, with the state of its
 * compressors, for many frames; the object holds no stream between calls. Never writes past the room given for a
 * stream. Not thread-safe.
 */
final class CompressedStreams implements AutoCloseable {
    /** The result of {@link #compress} if the stream does not fit into the room. */
    static final int NO_ROOM = BloscKernels.NO_ROOM;

    /**
     * The level of zstd for each level of Blosc, 0 to 9. From Blosc's level 3 on, c-blosc uses higher levels of zstd,
     * whose time is not worth the bytes that they save.
     */
    private static final int[] ZSTD_LEVELS = {1, 1, 2, 3, 3, 3, 4, 5, 7, 12};

    private final BlockStreams lz4 = BlockStreams.lz4();
    private final BlockStreams snappy = BlockStreams.snappy();
    private final Map<Integer, Deflater> deflaters = new HashMap<>();
    private final DeflateDecoder zlib = new DeflateDecoder(DeflateFormat.ZLIB);
    /** At most one decoder. It is large, so the first stream of zstd creates it. */
    private final List<ZstdDecoder> zstdDecoders = new ArrayList<>(1);

    private final Map<Integer, ZstdEncoder> zstdEncoders = new HashMap<>();
    private final byte[] singleByte = new byte[1];
    private final BloscKernels nativeKernels;

    /** Creates streams that try {@code nativeKernels} first. */
    CompressedStreams(BloscKernels nativeKernels) {
        this.nativeKernels = nativeKernels;
    }

    /**
     * Expands one stream to exactly {@code size} bytes. If the caller needs only the first {@code requested} bytes, and
     * they are less than about three quarters of {@code size}, lz4 and zstd may stop after them. The bytes after them
     * are then arbitrary.
     */
    void expand(
            CompressedFormat format,
            byte[] in,
            int inOffset,
            int length,
            byte[] out,
            int outOffset,
            int size,
            int requested) {
        if (requested < size - size / 4 && (format == CompressedFormat.LZ4 || format == CompressedFormat.ZSTD)) {
            if (format == CompressedFormat.ZSTD) {
                expandZstd(new HeapBytes(in, inOffset, inOffset + length), out, outOffset, size, requested);
            } else {
                firstOfLz4(in, inOffset, length, out, outOffset, size, requested);
            }
            return;
        }
        expandAll(format, in, inOffset, length, out, outOffset, size);
    }

    private void expandAll(
            CompressedFormat format, byte[] in, int inOffset, int length, byte[] out, int outOffset, int size) {
        if (nativeKernels.expand(format.cname(), in, inOffset, length, out, outOffset, size)) {
            return;
        }
        int expandedSize =
                switch (format) {
                    case BLOSCLZ -> BloscLzDecoder.decode(in, inOffset, length, out, outOffset, size);
                    case ZLIB -> inflate(in, inOffset, length, out, outOffset, size);
                    case ZSTD -> expandZstd(new HeapBytes(in, inOffset, inOffset + length), out, outOffset, size, size);
                    case LZ4, SNAPPY -> expandBlock(format, in, inOffset, length, out, outOffset, size);
                };
        if (expandedSize != size) {
            throw corrupt("a " + name(format) + " stream of " + size + " decoded bytes", expandedSize + " bytes");
        }
    }

    private int expandBlock(
            CompressedFormat format, byte[] in, int inOffset, int length, byte[] out, int outOffset, int size) {
        try {
            return format == CompressedFormat.SNAPPY
                    ? snappy.expand(in, inOffset, length, out, outOffset, size)
                    : lz4.expand(in, inOffset, length, out, outOffset, size);
        } catch (CorruptDataException e) {
            throw new CorruptDataException("blosc: malformed " + name(format) + " stream: " + e.getMessage(), e);
        }
    }

    private static void firstOfLz4(
            byte[] in, int inOffset, int length, byte[] out, int outOffset, int size, int requested) {
        int expandedSize;
        try {
            expandedSize = Lz4Decoder.decodeFirst(in, inOffset, length, out, outOffset, size, requested);
        } catch (CorruptDataException e) {
            throw new CorruptDataException(
                    "blosc: malformed " + name(CompressedFormat.LZ4) + " stream: " + e.getMessage(), e);
        }
        if (expandedSize < requested) {
            throw corrupt(
                    "a " + name(CompressedFormat.LZ4) + " stream of " + size + " decoded bytes",
                    expandedSize + " bytes");
        }
    }

    /**
     * Expands a stream of lz4 that may refer to a dictionary.
     *
     * @param out begins with the dictionary; the decoded bytes follow it
     */
    static void lz4After(int dictionarySize, byte[] in, int inOffset, int length, byte[] out, int size) {
        int expandedSize;
        try {
            expandedSize = Lz4Decoder.decodeAfter(dictionarySize, in, inOffset, length, out, dictionarySize, size);
        } catch (CorruptDataException e) {
            throw new CorruptDataException(
                    "blosc: malformed " + name(CompressedFormat.LZ4) + " stream: " + e.getMessage(), e);
        }
        if (expandedSize != size) {
            throw corrupt(
                    "a " + name(CompressedFormat.LZ4) + " stream of " + size + " decoded bytes",
                    expandedSize + " bytes");
        }
    }

    private int expandZstd(HeapBytes in, byte[] out, int outOffset, int size, int requested) {
        withZstdDecoder(decoder -> decoder.expand(in, out, outOffset, size, requested));
        return size;
    }

    /**
     * Expands a stream of zstd that may refer to a dictionary.
     *
     * @param out begins with the content of the dictionary; the decoded bytes follow it
     */
    void zstdAfter(ZstdDictionary dictionary, HeapBytes in, byte[] out, int size) {
        withZstdDecoder(decoder -> decoder.expand(in, dictionary, out, dictionary.contentSize(), size));
    }

    private void withZstdDecoder(Consumer<ZstdDecoder> expansion) {
        if (zstdDecoders.isEmpty()) {
            zstdDecoders.add(new ZstdDecoder());
        }
        try {
            expansion.accept(zstdDecoders.get(0));
        } catch (ChecksumException e) {
            throw new ChecksumException("blosc: " + e.getMessage(), e);
        } catch (CorruptDataException | UnsupportedException e) {
            // UnsupportedException reports an unknown dictionary or a huge window. Blosc writes neither, so the stream
            // is corrupt.
            throw new CorruptDataException("blosc: malformed zstd stream: " + e.getMessage(), e);
        }
    }

    private int inflate(byte[] in, int inOffset, int length, byte[] out, int outOffset, int size) {
        CodecOutput output = CodecOutput.within(out, outOffset, outOffset + size);
        try {
            zlib.decode(
                    new HeapBytes(in, inOffset, inOffset + length),
                    inOffset,
                    output,
                    DecodedSize.exactly(size),
                    "zlib");
        } catch (ChecksumException e) {
            throw new ChecksumException("blosc: " + e.getMessage(), e);
        } catch (CorruptDataException e) {
            throw new CorruptDataException("blosc: malformed zlib stream: " + e.getMessage(), e);
        }
        return output.size() - outOffset;
    }

    /** Compresses into at most {@code capacity} bytes and returns the size, or {@link #NO_ROOM}. */
    int compress(
            BloscCompressor cname,
            int level,
            byte[] in,
            int inOffset,
            int length,
            byte[] out,
            int outOffset,
            int capacity,
            Scratch scratch) {
        int compressedSize = nativeKernels.compress(cname, level, in, inOffset, length, out, outOffset, capacity);
        if (compressedSize != BloscKernels.DECLINED) {
            return compressedSize;
        }
        return switch (cname.format()) {
            case LZ4 -> lz4.compress(level, in, inOffset, length, out, outOffset, capacity, scratch);
            case SNAPPY -> snappy.compress(level, in, inOffset, length, out, outOffset, capacity, scratch);
            case ZLIB -> deflate(level, in, inOffset, length, out, outOffset, capacity);
            case ZSTD -> compressZstd(level, in, inOffset, length, out, outOffset, capacity, scratch);
            case BLOSCLZ -> throw new IllegalArgumentException("blosclz cannot be written");
        };
    }

    private int deflate(int level, byte[] in, int inOffset, int length, byte[] out, int outOffset, int capacity) {
        Deflater deflater = deflaters.computeIfAbsent(level, Deflater::new);
        deflater.reset();
        deflater.setInput(in, inOffset, length);
        deflater.finish();
        int written = deflater.deflate(out, outOffset, capacity);
        int compressedSize = deflater.finished() ? written : NO_ROOM;
        deflater.setInput(singleByte, 0, 0); // releases the caller's array
        return compressedSize;
    }

    private int compressZstd(
            int level, byte[] in, int inOffset, int length, byte[] out, int outOffset, int capacity, Scratch scratch) {
        if (ZstdEncoder.maxEncodedSize(length) > Limits.LARGEST_CHUNK) {
            return NO_ROOM;
        }
        ZstdEncoder encoder = zstdEncoders.computeIfAbsent(level, l -> ZstdEncoder.ofLevel(ZSTD_LEVELS[l]));
        int mark = scratch.mark();
        byte[] frame = scratch.borrow((int) ZstdEncoder.maxEncodedSize(length));
        int compressedSize = encoder.encode(new HeapBytes(in, inOffset, inOffset + length), Trailer.NOTHING, frame, 0);
        System.arraycopy(frame, 0, out, outOffset, compressedSize <= capacity ? compressedSize : 0);
        scratch.reset(mark);
        return compressedSize <= capacity ? compressedSize : NO_ROOM;
    }

    @Override
    public void close() {
        nativeKernels.close();
        zlib.close();
        deflaters.values().forEach(Deflater::end);
    }

    private static String name(CompressedFormat format) {
        return format.name().toLowerCase(Locale.ROOT);
    }
}
