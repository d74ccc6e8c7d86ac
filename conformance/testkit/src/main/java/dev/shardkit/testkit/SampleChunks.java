package dev.shardkit.testkit;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.ElementCopy;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.type.CoreTypes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Sample chunks for tests of array codecs; the same in every run. Stateless. */
public final class SampleChunks {
    private SampleChunks() {}

    /** Returns chunk types with elements of fixed size, with various shapes, sizes, carriers and fill values. */
    public static List<ChunkType> fixedTypes() {
        return List.of(
                type(CoreTypes.INT32, new byte[] {1, 2, 3, 4}, 4, 6, 3),
                type(CoreTypes.FLOAT64, new byte[] {1, 0, 0, 0, 0, 0, (byte) 0xf8, 0x7f}, 5, 8),
                type(CoreTypes.UINT8, new byte[1], 64),
                type(CoreTypes.BOOL, new byte[] {1}, 3, 3),
                type(CoreTypes.UINT16, new byte[] {7, 0}, 2, 3, 4, 2),
                type(CoreTypes.INT64, new byte[8], 9),
                type(CoreTypes.FLOAT32, new byte[] {0, 0, (byte) 0x80, 0x7f}),
                type(CoreTypes.COMPLEX64, new byte[] {0, 0, 0, 0, 0, 0, (byte) 0x80, 0x3f}, 4, 4),
                type(CoreTypes.rawBits(24), new byte[] {9, 8, 7}, 6, 2));
    }

    /** Returns chunk types with elements of variable size. */
    public static List<ChunkType> variableTypes() {
        return List.of(
                type(CoreTypes.STRING, "fill".getBytes(StandardCharsets.UTF_8), 4, 5),
                type(CoreTypes.STRING, new byte[0], 7),
                type(CoreTypes.BYTES, new byte[] {0, -1}, 3, 2, 2));
    }

    private static ChunkType type(DataType dataType, byte[] fill, long... shape) {
        return ChunkType.of(dataType, FillValue.of(fill), shape);
    }

    /**
     * Returns a chunk of legal elements for the carrier: booleans, text, or random bits. About every fifth element is
     * the fill value. A data type that forbids some bits needs samples of its own.
     */
    public static DenseChunk random(ChunkType type, long seed) {
        Random random = new Random(seed);
        DenseChunk chunk = DenseChunk.filled(type);
        for (long i = 0; i < type.count(); i++) {
            if (random.nextInt(5) > 0) {
                put(chunk.elements(), (int) i, type.dataType().carrier(), random);
            }
        }
        return chunk;
    }

    /** Sets element {@code i} to a random value; text has characters of 1, 2 and 4 bytes. */
    private static void put(Elements to, int i, Carrier carrier, Random random) {
        if (to instanceof Elements.Variable v) {
            byte[] value = new byte[random.nextInt(12)];
            random.nextBytes(value);
            v.values()[i] = carrier == Carrier.STRING
                    ? ("\u00e4\ud83d\ude00" + random.nextInt())
                            .substring(random.nextInt(2))
                            .getBytes(StandardCharsets.UTF_8)
                    : value;
            return;
        }
        Elements.Fixed f = (Elements.Fixed) to;
        byte[] bits = new byte[f.elementSize()];
        random.nextBytes(bits);
        if (carrier == Carrier.BOOLEAN) {
            bits[0] &= 1;
        }
        f.bytes().put(i * f.elementSize(), bits);
    }

    /** Returns the elements of {@code part} as a separate chunk. */
    public static DenseChunk part(DenseChunk whole, ChunkType type, Box part) {
        DenseChunk chunk = DenseChunk.filled(type.withShape(part.shape()));
        whole.feed().get(part, chunk.elements(), 0, Shapes.strides(part.shape()));
        return chunk;
    }

    /** Returns a copy of the chunk with {@code part} overwritten. */
    public static DenseChunk overwritten(DenseChunk whole, ChunkType type, Box part, DenseChunk with) {
        DenseChunk chunk = part(whole, type, type.box());
        chunk.target().put(with.elements(), 0, Shapes.strides(part.shape()), part);
        return chunk;
    }

    /** Returns a non-empty random box within {@code shape}. */
    public static Box randomPart(long[] shape, Random random) {
        long[] origin = new long[shape.length];
        long[] size = new long[shape.length];
        for (int d = 0; d < shape.length; d++) {
            origin[d] = random.nextInt((int) shape[d]);
            size[d] = 1 + random.nextInt((int) (shape[d] - origin[d]));
        }
        return Box.of(origin, size);
    }

    /** Describes the first difference between two chunks of {@code shape}; empty if they are equal. */
    public static Optional<String> difference(Elements expected, Elements found, long[] shape) {
        for (int i = 0; i < Shapes.count(shape); i++) {
            byte[] e = element(expected, i);
            byte[] f = element(found, i);
            if (!Arrays.equals(e, f)) {
                return Optional.of("element " + Arrays.toString(Shapes.unravel(i, shape)) + ": expected "
                        + FillValue.of(e) + ", found " + FillValue.of(f));
            }
        }
        return Optional.empty();
    }

    /** Returns the bytes of element {@code i}; words are little-endian. */
    private static byte[] element(Elements elements, int i) {
        if (elements instanceof Elements.Variable v) {
            return v.values()[i];
        }
        Elements.Fixed f = (Elements.Fixed) elements;
        byte[] out = new byte[f.elementSize()];
        Elements.Fixed one =
                new Elements.Fixed(ByteBuffer.wrap(out).order(ByteOrder.LITTLE_ENDIAN), f.elementSize(), f.wordSize());
        ElementCopy.copy(f, i, new long[0], one, 0, new long[0], new long[0]);
        return out;
    }
}
