package dev.shardkit.codec.deflate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.spi.bytes.CodecOutput;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Decodes with the JDK's Inflater and with our decoder, which must agree. Reused; not thread-safe. */
final class DifferentialInflater {
    /** Bytes before and after the output that must not change, and before that matches must not reach. */
    private static final int MARGIN = 40;

    private final Inflater inflater;
    private final DeflateDecoder own;

    DifferentialInflater(DeflateFormat format) {
        inflater = new Inflater(format.isRaw());
        own = new DeflateDecoder(format);
    }

    /** Decoded bytes and the number of encoded ones. */
    record Decoded(byte[] bytes, int size) {}

    /** Checks that both accept or both refuse a stream of at most {@code most} decoded bytes, with equal results. */
    Optional<Decoded> agree(byte[] stream, int most) {
        Optional<Decoded> theirs = inflate(stream, most);
        Optional<Decoded> ours = ours(stream, most);
        if (theirs.isPresent() != ours.isPresent()) {
            throw new AssertionError("the Inflater " + (theirs.isPresent() ? "accepts " : "refuses ")
                    + HexFormat.of().formatHex(stream) + " for " + most + " bytes");
        }
        theirs.ifPresent(t -> {
            assertArrayEquals(t.bytes, ours.get().bytes);
            assertEquals(t.size, ours.get().size);
        });
        return ours;
    }

    Optional<Decoded> inflate(byte[] stream, int most) {
        inflater.reset();
        inflater.setInput(stream);
        byte[] out = new byte[most + 1];
        int filled = 0;
        try {
            while (!inflater.finished()) {
                int n = inflater.inflate(out, filled, out.length - filled);
                filled += n;
                if (n == 0 && !inflater.finished()) {
                    return Optional.empty();
                }
            }
        } catch (DataFormatException e) {
            return Optional.empty();
        }
        return filled > most
                ? Optional.empty()
                : Optional.of(new Decoded(Arrays.copyOf(out, filled), (int) inflater.getBytesRead()));
    }

    private Optional<Decoded> ours(byte[] stream, int most) {
        byte[] in = new byte[stream.length + 2 * MARGIN];
        Arrays.fill(in, (byte) 0xa5);
        System.arraycopy(stream, 0, in, MARGIN, stream.length);
        byte[] out = new byte[most + 2 * MARGIN];
        Arrays.fill(out, (byte) 0x5a);
        CodecOutput output = CodecOutput.within(out, MARGIN, MARGIN + most);
        try {
            int end = own.decode(
                    new HeapBytes(in, MARGIN, MARGIN + stream.length), MARGIN, output, DecodedSize.atMost(most), "x");
            byte[] bytes = Arrays.copyOfRange(out, MARGIN, output.size());
            return Optional.of(new Decoded(bytes, end - MARGIN));
        } catch (CorruptDataException e) {
            return Optional.empty();
        } finally {
            for (int i = 0; i < MARGIN; i++) {
                assertEquals(0x5a, out[i], "a byte before the output");
                assertEquals(0x5a, out[MARGIN + most + i], "a byte after the output");
            }
        }
    }
}
