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
 * Makes targets and feeds of {@code String[]} arrays for data types whose elements have a fixed number of code points.
 */
final class Utf32 {
    private static final int CODE_POINT = 4;

    private Utf32() {}

    /** Returns the text at byte {@code byteOffset}, without trailing zeros. */
    private static String text(ByteBuffer bytes, int byteOffset, int[] points) {
        int n = 0;
        for (int i = 0; i < points.length; i++) {
            points[i] = bytes.getInt(byteOffset + i * CODE_POINT);
            n = points[i] != 0 ? i + 1 : n;
        }
        return n == 0 ? "" : new String(points, 0, n);
    }

    private static void put(String[] strings, int i, ByteBuffer bytes, int byteOffset, int capacity) {
        String text = strings[i];
        if (text == null) {
            throw new IllegalArgumentException("element " + i + " is null");
        }
        int n = 0;
        for (int k = 0; k < text.length(); n++) {
            int point = text.codePointAt(k);
            if (n == capacity) {
                throw new IllegalArgumentException("string " + i + " has " + text.codePointCount(0, text.length())
                        + " code points; the data type holds " + capacity);
            } else if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
                throw new IllegalArgumentException("string " + i + " has an unpaired surrogate and no UTF-32 form");
            }
            bytes.putInt(byteOffset + n * CODE_POINT, point);
            k += Character.charCount(point);
        }
        for (; n < capacity; n++) {
            bytes.putInt(byteOffset + n * CODE_POINT, 0);
        }
    }

    /** Writes into {@code array} from index {@code offset}. */
    record Utf32Target(String[] array, int offset, long[] shape) implements Target {
        @Override
        public void put(Elements source, long sourceOffset, long[] sourceStrides, Box box) {
            Elements.Fixed f = (Elements.Fixed) source;
            int[] points = new int[f.elementSize() / CODE_POINT];
            ElementWalk.pairs(
                    box,
                    sourceOffset,
                    sourceStrides,
                    shape,
                    (a, b) -> array[offset + b] = text(f.bytes(), a * f.elementSize(), points));
        }

        @Override
        public void fill(FillValue value, Box box) {
            ByteBuffer bytes = ByteBuffer.wrap(value.bytes()).order(ByteOrder.LITTLE_ENDIAN);
            String text = text(bytes, 0, new int[value.size() / CODE_POINT]);
            ElementWalk.each(box, shape, i -> array[offset + i] = text);
        }
    }

    /** Reads from {@code array} from index {@code offset}. */
    record Utf32Feed(String[] array, int offset, long[] shape) implements Feed {
        @Override
        public void get(Box part, Elements target, long targetOffset, long[] targetStrides) {
            Elements.Fixed t = (Elements.Fixed) target;
            int capacity = t.elementSize() / CODE_POINT;
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
                                    t.bytes(),
                                    (int) (b + k * bStep) * t.elementSize(),
                                    capacity);
                        }
                    });
        }
    }
}
