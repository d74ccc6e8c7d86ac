package dev.shardkit.javaarray;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.type.CoreTypes;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JavaArrayAdaptersTest {
    private static final List<DataType> TYPES = List.of(
            CoreTypes.BOOL,
            CoreTypes.UINT8,
            CoreTypes.INT16,
            CoreTypes.UINT32,
            CoreTypes.INT64,
            CoreTypes.FLOAT32,
            CoreTypes.FLOAT64,
            CoreTypes.COMPLEX64,
            CoreTypes.COMPLEX128);

    /** Elements whose words are small numbers, so that floats and bools are told apart by value. */
    private static byte[] words(DataType type, int count, Random random) {
        int size = type.elementSize().orElseThrow();
        byte[] bytes = new byte[count * size];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = type == CoreTypes.BOOL ? (byte) random.nextInt(2) : (byte) (1 + random.nextInt(60));
        }
        return bytes;
    }

    private static long[] shape(Random random, int rank, int most) {
        long[] shape = new long[rank];
        for (int d = 0; d < rank; d++) {
            shape[d] = 1 + random.nextInt(most);
        }
        return shape;
    }

    private static Box part(Random random, long[] shape) {
        long[] origin = new long[shape.length];
        long[] size = new long[shape.length];
        for (int d = 0; d < shape.length; d++) {
            origin[d] = random.nextInt((int) shape[d]);
            size[d] = 1 + random.nextInt((int) (shape[d] - origin[d]));
        }
        return Box.of(origin, size);
    }

    /** The strides of a chunk whose dimensions lie in any order in memory, as those of N5 and transposed ones. */
    private static long[] strides(long[] chunk, Random random) {
        List<Integer> order =
                new ArrayList<>(IntStream.range(0, chunk.length).boxed().toList());
        if (random.nextBoolean()) {
            Collections.shuffle(order, random);
        }
        long[] strides = new long[chunk.length];
        long next = 1;
        for (int i = chunk.length - 1; i >= 0; i--) {
            strides[order.get(i)] = next;
            next *= chunk[order.get(i)];
        }
        return strides;
    }

    private static int index(long[] at, long[] strides) {
        return (int)
                IntStream.range(0, at.length).mapToLong(d -> at[d] * strides[d]).sum();
    }

    /** Element by element is the model; parts of chunks go through bulk copies, windows, blocks and strides. */
    @Test
    void partsOfChunks_arriveElementByElement_andComeBack() {
        Random random = new Random(7);
        for (int round = 0; round < 600; round++) {
            DataType type = TYPES.get(random.nextInt(TYPES.size()));
            ByteOrder order = random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
            int rank = random.nextInt(4);
            int most = random.nextInt(5) == 0 ? 80 : 9;
            long[] chunk = shape(random, rank, most);
            Box part = part(random, chunk);
            long[] outer = part.shape();
            long[] at = new long[rank];
            for (int d = 0; d < rank; d++) {
                at[d] = random.nextInt(5);
                outer[d] += at[d] + random.nextInt(3);
            }
            int offset = random.nextInt(3);
            Object array = Array.newInstance(
                    JavaArrayAdapters.arrayClass(type.carrier()).getComponentType(),
                    JavaArrayAdapters.length(type, outer) + offset);
            byte[] bytes = words(type, (int) Shapes.count(chunk), random);
            long[] strides = strides(chunk, random);
            Elements from = Elements.Fixed.of(type, ByteBuffer.wrap(bytes), order);
            Box place = Box.of(at, part.shape());
            Target target = JavaArrayAdapters.target(type, outer, array, offset);
            target.put(from, index(part.origin(), strides), strides, place);
            assertEquals(
                    part.count() * JavaArrayAdapters.wordsPerElement(type),
                    type == CoreTypes.BOOL ? part.count() : set(array));

            byte[] back = new byte[bytes.length];
            Feed feed = JavaArrayAdapters.feed(type, outer, array, offset);
            feed.get(
                    place,
                    Elements.Fixed.of(type, ByteBuffer.wrap(back), order),
                    index(part.origin(), strides),
                    strides);
            for (long i = 0; i < part.count(); i++) {
                long[] in = part.at(i);
                long[] out = place.at(i);
                String where = type.name() + " " + order + " chunk " + part + " to " + place;
                checkElement(
                        type,
                        bytes,
                        index(in, strides),
                        order,
                        array,
                        offset + (int) Shapes.ravel(out, outer) * JavaArrayAdapters.wordsPerElement(type),
                        where);
                int size = type.elementSize().orElseThrow();
                int b = index(in, strides) * size;
                assertEquals(ByteBuffer.wrap(bytes, b, size), ByteBuffer.wrap(back, b, size), where);
            }
        }
    }

    private static long set(Object array) {
        long n = 0;
        for (int i = 0; i < Array.getLength(array); i++) {
            n += ((Number) Array.get(array, i)).doubleValue() == 0 ? 0 : 1;
        }
        return n;
    }

    private static void checkElement(
            DataType type, byte[] bytes, int element, ByteOrder order, Object array, int index, String where) {
        ByteBuffer b = ByteBuffer.wrap(bytes).order(order);
        int word = type.carrier().wordSize();
        for (int w = 0; w < JavaArrayAdapters.wordsPerElement(type); w++) {
            int at = element * type.elementSize().orElseThrow() + w * word;
            Object expected =
                    switch (type.carrier()) {
                        case BOOLEAN -> b.get(at) != 0;
                        case BYTE -> b.get(at);
                        case SHORT -> b.getShort(at);
                        case INT -> b.getInt(at);
                        case LONG -> b.getLong(at);
                        case FLOAT -> b.getFloat(at);
                        default -> b.getDouble(at);
                    };
            assertEquals(expected, Array.get(array, index + w), where);
        }
    }

    @Test
    void fill_touchesItsBoxAndNothingElse() {
        int[] array = new int[1 + 5 * 7];
        Target target = JavaArrayAdapters.target(CoreTypes.INT32, new long[] {5, 7}, array, 1);
        target.fill(FillValue.of(new byte[] {9, 0, 0, 0}), Box.of(new long[] {1, 2}, new long[] {3, 4}));
        for (int i = 0; i < 5; i++) {
            for (int k = 0; k < 7; k++) {
                assertEquals(i >= 1 && i < 4 && k >= 2 && k < 6 ? 9 : 0, array[1 + i * 7 + k]);
            }
        }
        double[] pairs = new double[2 * 7];
        JavaArrayAdapters.target(CoreTypes.COMPLEX128, new long[] {7}, pairs, 0)
                .fill(
                        FillValue.of(ByteBuffer.allocate(16)
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .putDouble(1.5)
                                .putDouble(-2)
                                .array()),
                        Box.of(new long[] {1}, new long[] {5}));
        assertEquals(
                List.of(0.0, 0.0, 1.5, -2.0, 1.5, -2.0, 1.5, -2.0, 1.5, -2.0, 1.5, -2.0, 0.0, 0.0),
                java.util.Arrays.stream(pairs).boxed().toList());
    }

    @Test
    void nothingInAnArrayOfStringsOrBytes_isTheCallersMistake() {
        long[] one = {1};
        Elements.Variable to = new Elements.Variable(new byte[1][]);
        Feed strings = JavaArrayAdapters.feed(CoreTypes.STRING, one, new String[1], 0);
        assertThrows(IllegalArgumentException.class, () -> strings.get(Box.of(one), to, 0, one));
        Feed bytes = JavaArrayAdapters.feed(CoreTypes.BYTES, one, new byte[1][], 0);
        assertThrows(IllegalArgumentException.class, () -> bytes.get(Box.of(one), to, 0, one));
    }
}
