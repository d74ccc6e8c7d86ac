package dev.shardkit.codec.support;

import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.ChecksumException;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.kernel.HeapBytes;
import dev.shardkit.spi.kernel.Output;
import dev.shardkit.spi.plan.Scratch;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** DEFLATE streams by the JDK, whose Deflater and Inflater are kept in the scratch. */
public enum JdkDeflate {
    /** A raw stream (RFC 1951). */
    RAW("DEFLATE"),
    /** A stream with a zlib header and an Adler-32 checksum (RFC 1950). */
    ZLIB("zlib");

    /** The largest expansion factor of a stream: 258 bytes for two bits. */
    public static final long MOST_EXPANSION = 1032;

    private final String format;

    JdkDeflate(String format) {
        this.format = format;
    }

    private boolean isRaw() {
        return this == RAW;
    }

    /** Returns room for the encoding of {@code size} bytes, with some extra for header and trailer. */
    public static Output room(int size, Scratch scratch) {
        // Stored blocks cost at most 5 bytes for 16 KiB, so this suffices almost always.
        return Output.encoding((long) size + (size >>> 9) + 64, scratch);
    }

    /**
     * Writes a stream.
     *
     * @param what the name of the codec, for errors
     */
    public void encode(HeapBytes in, int level, Output out, String what, Scratch scratch) {
        Deflater deflater = scratch.state(new Key(this, level), () -> new KeptDeflater(new Deflater(level, isRaw())))
                .deflater();
        deflater.reset();
        deflater.setInput(in.array(), in.from(), in.size());
        deflater.finish();
        while (!deflater.finished()) {
            if (out.size() == out.capacity()) {
                grow(out, what);
            }
            out.advance(deflater.deflate(out.array(), out.size(), out.capacity() - out.size()));
        }
        deflater.setInput(new byte[0]); // releases the caller's array
    }

    /** Makes more room for an encoding. */
    public static void grow(Output out, String what) {
        if (!out.grow()) {
            throw new UnsupportedException(what + ": the encoding is larger than a Java array");
        }
    }

    /** Returns room for decoded bytes. Rejects an encoding that is too short for the expected size. */
    public static Output room(HeapBytes in, DecodedSize expected, String what, Scratch scratch) {
        if (expected.isExact() && expected.most() > MOST_EXPANSION * in.size()) {
            throw new CorruptDataException(what + ": expected an encoding of " + expected + ", found " + in.size()
                    + " bytes, which cannot hold as many");
        }
        return Output.decoding(expected, Math.max(1 << 10, 4L * in.size()), scratch);
    }

    /**
     * Decodes the stream that starts at {@code from}.
     *
     * @param what the name of the codec, for errors
     * @return the number of bytes after the stream
     */
    public int decode(HeapBytes in, int from, Output out, DecodedSize expected, String what, Scratch scratch) {
        Inflater inflater = scratch.state(this, () -> new KeptInflater(new Inflater(isRaw())))
                .inflater();
        inflater.reset();
        inflater.setInput(in.array(), from, in.to() - from);
        try {
            inflate(inflater, out, expected, what);
            return inflater.getRemaining();
        } catch (DataFormatException e) {
            String why = String.valueOf(e.getMessage());
            throw why.contains("data check")
                    ? new ChecksumException(what + ": the Adler-32 does not match", e)
                    : new CorruptDataException(what + ": not a valid " + format + " stream: " + why, e);
        } finally {
            inflater.setInput(new byte[0]); // releases the caller's array
        }
    }

    private static void inflate(Inflater inflater, Output out, DecodedSize expected, String what)
            throws DataFormatException {
        while (!inflater.finished()) {
            if (out.size() == out.capacity() && !out.grow()) {
                throw Output.tooMuch(expected, what);
            }
            int n = inflater.inflate(out.array(), out.size(), out.capacity() - out.size());
            out.advance(n);
            if (n == 0 && inflater.needsDictionary()) {
                throw new CorruptDataException(what + ": the stream asks for a preset dictionary, expected none");
            } else if (n == 0 && !inflater.finished()) {
                throw new CorruptDataException(
                        what + ": the stream ends early, after " + out.size() + " decoded bytes");
            }
        }
        if (out.size() > expected.most()) {
            throw Output.tooMuch(expected, what);
        }
    }

    private record Key(JdkDeflate format, int level) {}

    private record KeptInflater(Inflater inflater) implements AutoCloseable {
        @Override
        public void close() {
            inflater.end();
        }
    }

    private record KeptDeflater(Deflater deflater) implements AutoCloseable {
        @Override
        public void close() {
            deflater.end();
        }
    }
}
