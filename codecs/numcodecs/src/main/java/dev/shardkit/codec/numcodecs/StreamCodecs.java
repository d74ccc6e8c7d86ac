package dev.shardkit.codec.numcodecs;

import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.kernel.CodecOutput;
import dev.shardkit.spi.kernel.HeapBytes;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.tukaani.xz.MemoryLimitException;

/** Runs compressors that are written as Java streams. Stateless. */
final class StreamCodecs {
    private static final int SMALL = 1 << 10;

    private StreamCodecs() {}

    /** Opens a decoder over encoded bytes. */
    @FunctionalInterface
    interface Decoder {
        InputStream open(InputStream encoded) throws IOException;
    }

    /** Opens an encoder that writes to {@code encoded}. */
    @FunctionalInterface
    interface Encoder {
        OutputStream open(OutputStream encoded) throws IOException;
    }

    /**
     * Decodes a whole stream. Every error of the decoder is corrupt data, because such libraries also throw
     * RuntimeExceptions on malformed streams.
     */
    static Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch, String what, Decoder decoder) {
        return decode(HeapBytes.of(encoded, scratch, what), expected, scratch, what, decoder);
    }

    static Bytes decode(HeapBytes in, DecodedSize expected, Scratch scratch, String what, Decoder decoder) {
        // The encoding may claim any size, so memory grows with what is decoded.
        DecodedSize most = DecodedSize.atMost(expected.most());
        CodecOutput out =
                CodecOutput.decoding(most, Math.min(expected.most() + 1, Math.max(SMALL, 4L * in.size())), scratch);
        try (InputStream decoded = decoder.open(new ByteArrayInputStream(in.array(), in.from(), in.size()))) {
            while (true) {
                if (out.size() == out.capacity() && !out.grow()) {
                    throw CodecOutput.tooMuch(expected, what);
                }
                int n = decoded.read(out.array(), out.size(), out.capacity() - out.size());
                if (n < 0) {
                    break;
                }
                out.advance(n);
            }
        } catch (MemoryLimitException e) {
            throw new UnsupportedException(what + ": decoding needs " + e.getMemoryNeeded()
                    + " KiB of memory, more than " + "the " + e.getMemoryLimit() + " KiB that are allowed");
        } catch (IOException | RuntimeException e) {
            throw e instanceof CorruptDataException c ? c : malformed(what, e);
        }
        expected.check(out.size(), what + " decoded");
        return out.borrowed();
    }

    private static CorruptDataException malformed(String what, Exception e) {
        String why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return new CorruptDataException(what + ": not a valid stream: " + why, e);
    }

    /** Encodes into a new array. */
    static Bytes encode(Bytes decoded, Scratch scratch, String what, Encoder encoder) {
        HeapBytes in = HeapBytes.of(decoded, scratch, what);
        ByteArrayOutputStream out = new ByteArrayOutputStream(Math.max(SMALL, in.size() / 4));
        try (OutputStream to = encoder.open(out)) {
            to.write(in.array(), in.from(), in.size());
        } catch (IOException e) {
            throw new UncheckedIOException(what + ": the encoder failed in memory", e);
        }
        return Bytes.of(out.toByteArray());
    }
}
