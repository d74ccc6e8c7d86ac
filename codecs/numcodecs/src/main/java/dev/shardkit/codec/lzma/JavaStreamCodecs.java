package dev.shardkit.codec.lzma;

import dev.shardkit.spi.bytes.CodecOutput;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.tukaani.xz.MemoryLimitException;

/** Runs decoders and encoders of libraries that offer them as Java streams, here XZ for Java. Stateless. */
final class JavaStreamCodecs {
    /** The minimum of initial output capacities. */
    private static final int SMALL = 1 << 10;

    private JavaStreamCodecs() {}

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
     * Decodes a whole stream. Reports every exception of the decoder as corrupt data, because such libraries also throw
     * RuntimeExceptions on malformed streams.
     */
    static Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch, String description, Decoder decoder) {
        return decode(HeapBytes.of(encoded, scratch, description), expected, scratch, description, decoder);
    }

    static Bytes decode(HeapBytes in, DecodedSize expected, Scratch scratch, String description, Decoder decoder) {
        // The encoding may claim any size, so memory grows with the bytes that were decoded.
        DecodedSize maximum = DecodedSize.atMost(expected.maxBytes());
        CodecOutput out = CodecOutput.decoding(
                maximum, Math.min(expected.maxBytes() + 1, Math.max(SMALL, 4L * in.size())), scratch);
        try (InputStream decoded = decoder.open(new ByteArrayInputStream(in.array(), in.from(), in.size()))) {
            while (true) {
                if (out.size() == out.capacity() && !out.grow()) {
                    throw CodecOutput.tooMuch(expected, description);
                }
                int count = decoded.read(out.array(), out.size(), out.capacity() - out.size());
                if (count < 0) {
                    break;
                }
                out.advance(count);
            }
        } catch (MemoryLimitException e) {
            throw new UnsupportedException(description + ": decoding needs " + e.getMemoryNeeded()
                    + " KiB of memory, more than " + "the " + e.getMemoryLimit() + " KiB that are allowed");
        } catch (IOException | RuntimeException e) {
            throw e instanceof CorruptDataException c ? c : malformed(description, e);
        }
        expected.check(out.size(), description + " decoded");
        return out.borrowed();
    }

    private static CorruptDataException malformed(String description, Exception e) {
        String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return new CorruptDataException(description + ": not a valid stream: " + reason, e);
    }

    /** Encodes into a new array. */
    static Bytes encode(Bytes decoded, Scratch scratch, String description, Encoder encoder) {
        HeapBytes in = HeapBytes.of(decoded, scratch, description);
        ByteArrayOutputStream out = new ByteArrayOutputStream(Math.max(SMALL, in.size() / 4));
        try (OutputStream to = encoder.open(out)) {
            to.write(in.array(), in.from(), in.size());
        } catch (IOException e) {
            throw new UncheckedIOException(description + ": the encoder failed in memory", e);
        }
        return Bytes.of(out.toByteArray());
    }
}
