package dev.shardkit.carrier;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Rows;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.Target;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Makes targets and feeds of {@code String[]} arrays for data types whose elements have a fixed number of code points.
 */
final class Utf32 {
    private static final int CODE_POINT = 4;

    private Utf32() {}

    /** Returns the text of {@code capacity} code points at byte {@code at}, without trailing zeros. */
    private static String text(ByteBuffer bytes, int at, int[] points) {
        int n = 0;
        for (int i = 0; i < points.length; i++) {
            points[i] = bytes.getInt(at + i * CODE_POINT);
            n = points[i] != 0 ? i + 1 : n;
        }
        return n == 0 ? "" : new String(points, 0, n);
    }

    private static void put(String[] strings, int i, ByteBuffer bytes, int at, int capacity) {
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
            bytes.putInt(at + n * CODE_POINT, point);
            k += Character.charCount(point);
        }
        for (; n < capacity; n++) {
            bytes.putInt(at + n * CODE_POINT, 0);
        }
    }

    /** Writes into {@code array} from index {@code offset}. */
    record OfTarget(String[] array, int offset, long[] shape) implements Target {
        @Override
        public void put(Elements from, long at, long[] fromStrides, Box box) {
            Elements.Fixed f = (Elements.Fixed) from;
            int[] points = new int[f.elementSize() / CODE_POINT];
            ElementWalk.pairs(
                    box,
                    at,
                    fromStrides,
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
    record OfFeed(String[] array, int offset, long[] shape) implements Feed {
        @Override
        public void get(Box part, Elements to, long at, long[] toStrides) {
            Elements.Fixed t = (Elements.Fixed) to;
            int capacity = t.elementSize() / CODE_POINT;
            Rows.walk(part, part.firstIn(shape), Shapes.strides(shape), at, toStrides, (a, as, b, bs, n) -> {
                for (long k = 0; k < n; k++) {
                    put(array, (int) (offset + a + k * as), t.bytes(), (int) (b + k * bs) * t.elementSize(), capacity);
                }
            });
        }
    }
}
