package dev.shardkit.javaarray;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.StridedRows;
import dev.shardkit.spi.array.Target;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Targets and feeds of {@code String[]} arrays for the data type {@code fixed_length_utf32}. Each element has the same
 * number of code points, four bytes each; shorter texts are padded with zeros, as in NumPy.
 */
final class Utf32 {
    private static final int CODE_POINT_BYTES = 4;

    private Utf32() {}

    /**
     * Returns the text at byte {@code byteOffset}, without trailing zeros.
     *
     * @param points receives the code points; as long as an element
     */
    private static String text(ByteBuffer bytes, int byteOffset, int[] points) {
        int length = 0;
        for (int i = 0; i < points.length; i++) {
            points[i] = bytes.getInt(byteOffset + i * CODE_POINT_BYTES);
            length = points[i] != 0 ? i + 1 : length;
        }
        return length == 0 ? "" : new String(points, 0, length);
    }

    /** Stores string {@code i} as an element of {@code capacity} code points at byte {@code byteOffset}. */
    private static void put(String[] strings, int i, ByteBuffer bytes, int byteOffset, int capacity) {
        String text = strings[i];
        if (text == null) {
            throw new IllegalArgumentException("element " + i + " is null");
        }
        int count = 0;
        for (int k = 0; k < text.length(); count++) {
            int point = text.codePointAt(k);
            if (count == capacity) {
                throw new IllegalArgumentException("string " + i + " has " + text.codePointCount(0, text.length())
                        + " code points; the data type holds " + capacity);
            } else if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
                throw new IllegalArgumentException("string " + i + " has an unpaired surrogate and no UTF-32 form");
            }
            bytes.putInt(byteOffset + count * CODE_POINT_BYTES, point);
            k += Character.charCount(point);
        }
        for (; count < capacity; count++) {
            bytes.putInt(byteOffset + count * CODE_POINT_BYTES, 0);
        }
    }

    /** Writes into {@code array} from index {@code offset}. */
    record Utf32Target(String[] array, int offset, long[] shape) implements Target {
        @Override
        public void put(Elements source, long sourceOffset, long[] sourceStrides, Box box) {
            Elements.Fixed elements = (Elements.Fixed) source;
            int[] points = new int[elements.elementSize() / CODE_POINT_BYTES];
            ElementWalk.pairs(
                    box,
                    sourceOffset,
                    sourceStrides,
                    shape,
                    (from, to) -> array[offset + to] = text(elements.bytes(), from * elements.elementSize(), points));
        }

        @Override
        public void fill(FillValue value, Box box) {
            ByteBuffer bytes = ByteBuffer.wrap(value.bytes()).order(ByteOrder.LITTLE_ENDIAN);
            String text = text(bytes, 0, new int[value.size() / CODE_POINT_BYTES]);
            ElementWalk.each(box, shape, i -> array[offset + i] = text);
        }
    }

    /** Reads from {@code array} from index {@code offset}. */
    record Utf32Feed(String[] array, int offset, long[] shape) implements Feed {
        @Override
        public void get(Box part, Elements target, long targetOffset, long[] targetStrides) {
            Elements.Fixed elements = (Elements.Fixed) target;
            int capacity = elements.elementSize() / CODE_POINT_BYTES;
            // each row: n strings from index a to elements from index b
            StridedRows.walk(
                    part,
                    part.firstIn(shape),
                    Shapes.strides(shape),
                    targetOffset,
                    targetStrides,
                    (a, aStep, b, bStep, n) -> {
                        for (long k = 0; k < n; k++) {
                            put(
                                    array,
                                    (int) (offset + a + k * aStep),
                                    elements.bytes(),
                                    (int) (b + k * bStep) * elements.elementSize(),
                                    capacity);
                        }
                    });
        }
    }
}
