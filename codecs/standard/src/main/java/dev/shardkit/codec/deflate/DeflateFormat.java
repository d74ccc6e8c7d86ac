package dev.shardkit.codec.deflate;

import dev.shardkit.spi.bytes.CodecOutput;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Scratch;
import java.util.zip.Deflater;

/**
 * The formats of DEFLATE streams. Encodes them by the JDK's Deflater and decodes them by a {@link DeflateDecoder}; the
 * {@link Scratch} of each worker keeps both.
 */
public enum DeflateFormat {
    /** A raw stream (RFC 1951). */
    RAW("DEFLATE"),
    /** A stream with a zlib header and an Adler-32 checksum (RFC 1950). */
    ZLIB("zlib");

    /** The largest expansion factor of a stream: at best, two bits stand for a match of 258 bytes. */
    public static final long MAX_EXPANSION = 1032;

    private final String title;

    DeflateFormat(String title) {
        this.title = title;
    }

    /** Returns the name for errors. */
    String title() {
        return title;
    }

    boolean isRaw() {
        return this == RAW;
    }

    /** Allocates an output for the encoding of {@code size} bytes with a header and a trailer. The output can grow. */
    public static CodecOutput room(int size, Scratch scratch) {
        // Incompressible data is stored, at a cost of at most 5 bytes for 16 KiB, so this room almost always suffices.
        return CodecOutput.encoding((long) size + (size >>> 9) + 64, scratch);
    }

    /**
     * Writes a stream.
     *
     * @param description the name of the codec, for errors
     */
    public void encode(HeapBytes in, int level, CodecOutput out, String description, Scratch scratch) {
        Deflater deflater = scratch.state(new Key(this, level), () -> new KeptDeflater(new Deflater(level, isRaw())))
                .deflater();
        deflater.reset();
        deflater.setInput(in.array(), in.from(), in.size());
        deflater.finish();
        while (!deflater.finished()) {
            if (out.size() == out.capacity()) {
                grow(out, description);
            }
            out.advance(deflater.deflate(out.array(), out.size(), out.capacity() - out.size()));
        }
        deflater.setInput(new byte[0]); // releases the caller's array
    }

    /** Grows the output of an encoder. */
    public static void grow(CodecOutput out, String description) {
        if (!out.grow()) {
            throw new UnsupportedException(description + ": the encoding is larger than a Java array");
        }
    }

    /** Allocates an output for decoded bytes. Rejects an encoding that is too short for the expected size. */
    public static CodecOutput room(HeapBytes in, DecodedSize expected, String description, Scratch scratch) {
        if (expected.isExact() && expected.maxBytes() > MAX_EXPANSION * in.size()) {
            throw new CorruptDataException(description + ": expected an encoding of " + expected + ", found "
                    + in.size() + " bytes, which cannot hold as many");
        }
        return CodecOutput.decoding(expected, Math.max(1 << 10, 4L * in.size()), scratch);
    }

    /**
     * Decodes the stream that starts at {@code from}, with the decoder of the scratch.
     *
     * @param description the name of the codec, for errors
     * @return the index of the first byte after the stream
     * @throws CorruptDataException if the stream is malformed, or larger than expected
     */
    public int decode(
            HeapBytes in, int from, CodecOutput out, DecodedSize expected, String description, Scratch scratch) {
        return scratch.state(this, () -> new DeflateDecoder(this)).decode(in, from, out, expected, description);
    }

    /** The key of a Deflater in a {@link Scratch}. */
    private record Key(DeflateFormat format, int level) {}

    /** A Deflater in a {@link Scratch}, which closes it. */
    private record KeptDeflater(Deflater deflater) implements AutoCloseable {
        @Override
        public void close() {
            deflater.end();
        }
    }
}
