package dev.shardkit.cf;

import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.IntegerFormat;

/** Fills a Java array with the elements of a numeric data type, to write a variable. Not thread-safe. */
final class NumberArrayBuilder {
    private final Object array;

    /** Creates an array of zeros. Unsigned integers are stored as their bits. */
    NumberArrayBuilder(DataType type, int count, String location) {
        boolean isWhole = type.number().orElseThrow() instanceof IntegerFormat;
        int size = type.elementSize().orElseThrow();
        if (isWhole) {
            this.array = switch (size) {
                case 1 -> new byte[count];
                case 2 -> new short[count];
                case 4 -> new int[count];
                default -> new long[count];
            };
        } else if (type.name().equals("float32") || type.name().equals("float64")) {
            this.array = size == 4 ? new float[count] : new double[count];
        } else {
            throw new IllegalArgumentException(
                    location + ": expected an integer type, float32 or float64 to write numbers, found " + type.name());
        }
    }

    Object array() {
        return array;
    }

    /** Sets an element to a value that the data type can represent. */
    void set(int i, double value) {
        if (array instanceof float[] floats) {
            floats[i] = (float) value;
        } else if (array instanceof double[] doubles) {
            doubles[i] = value;
        } else {
            // Unsigned integers from 2^63 on are stored as their bits.
            set(i, value < 0x1p63 ? (long) value : (long) (value - 0x1p63) ^ Long.MIN_VALUE);
        }
    }

    /** Sets an element to an integer, by its lowest bits. */
    void set(int i, long value) {
        if (array instanceof byte[] bytes) {
            bytes[i] = (byte) value;
        } else if (array instanceof short[] shorts) {
            shorts[i] = (short) value;
        } else if (array instanceof int[] ints) {
            ints[i] = (int) value;
        } else if (array instanceof long[] longs) {
            longs[i] = value;
        } else {
            set(i, (double) value);
        }
    }
}
