package dev.shardkit.testkit;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.Target;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Assertions;

/**
 * A target for tests of decoding. It is filled with wrong values at first, records which elements were written, and
 * refuses writes outside its bounds. Several threads may write disjoint boxes.
 */
public final class PoisonedTarget implements Target {
    private static final byte POISON = (byte) 0xa5;

    private final long[] shape;
    private final DenseChunk chunk;
    private final byte[] written;

    private PoisonedTarget(ChunkType type) {
        this.shape = type.shape();
        this.chunk = DenseChunk.filled(type);
        this.written = new byte[Math.toIntExact(type.count())];
        if (chunk.elements() instanceof Elements.Fixed f) {
            for (int i = 0; i < f.bytes().limit(); i++) {
                f.bytes().put(i, POISON);
            }
        } else {
            Arrays.fill(
                    ((Elements.Variable) chunk.elements()).values(), "never written".getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Returns a target for a part of shape {@code shape} of a chunk of {@code type}. */
    public static PoisonedTarget of(ChunkType type, long[] shape) {
        return new PoisonedTarget(type.withShape(shape));
    }

    @Override
    public void put(Elements from, long offset, long[] strides, Box at) {
        mark(at);
        chunk.target().put(from, offset, strides, at);
    }

    @Override
    public void fill(FillValue value, Box at) {
        mark(at);
        chunk.target().fill(value, at);
    }

    private void mark(Box at) {
        if (at.rank() != shape.length || !Box.of(shape).contains(at)) {
            Assertions.fail("a write outside the target: " + at + " in " + Box.of(shape));
        }
        for (long i = 0; i < at.count(); i++) {
            written[(int) Shapes.ravel(at.at(i), shape)] = 1;
        }
    }

    /** Returns the elements in C order; words are little-endian. */
    public Elements elements() {
        return chunk.elements();
    }

    /** Fails unless every element was written. */
    public void assertWritten() {
        for (int i = 0; i < written.length; i++) {
            if (written[i] == 0) {
                Assertions.fail("element " + Arrays.toString(Shapes.unravel(i, shape)) + " of a part of shape "
                        + Arrays.toString(shape) + " was never written");
            }
        }
    }

    /**
     * Fails unless every element was written and equals that of {@code expected}, a chunk of the same shape, bit by
     * bit.
     */
    public void assertHolds(DenseChunk expected, String description) {
        assertWritten();
        SampleChunks.difference(expected.elements(), chunk.elements(), shape)
                .ifPresent(d -> Assertions.fail(description + ": " + d));
    }
}
