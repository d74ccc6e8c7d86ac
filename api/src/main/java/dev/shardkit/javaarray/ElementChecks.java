package dev.shardkit.javaarray;

import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.StridedRows;
import dev.shardkit.spi.error.CorruptDataException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Checks, before a write, that a caller's bytes are valid elements of the data type; bounds and shapes are checked
 * elsewhere. Bytes of records and of numbers with less than eight bits may be invalid.
 */
final class ElementChecks {
    private ElementChecks() {}

    /** Returns whether elements are numbers of fewer than eight bits in a byte each, so that some bytes are invalid. */
    static boolean hasUnusedBits(DataType type) {
        return type.carrier().wordSize() == 1
                && type.number().isPresent()
                && type.number().get().bits() < 8;
    }

    /**
     * Returns {@code feed}, which supplies the elements of {@code array} from {@code offset} on, with a check of each.
     */
    static Feed checkedFeed(Feed feed, DataType type, byte[] array, int offset, long[] shape) {
        NumberFormat format = type.number().orElseThrow();
        long[] strides = Shapes.strides(shape);
        return (part, target, targetOffset, targetStrides) -> {
            // only one side of the rows matters: n elements from index a of the array
            StridedRows.walk(
                    part, part.firstIn(shape), strides, targetOffset, targetStrides, (a, aStep, b, bStep, n) -> {
                        for (long k = 0; k < n; k++) {
                            check(type, format, array, (int) (offset + a + k * aStep));
                        }
                    });
            feed.get(part, target, targetOffset, targetStrides);
        };
    }

    /**
     * Checks the records, or complex numbers of small floats, in {@code length} bytes.
     *
     * @throws IllegalArgumentException if one is no value of the type
     */
    static void check(DataType type, byte[] array, int offset, int length) {
        try {
            type.check(Elements.Fixed.of(type, ByteBuffer.wrap(array, offset, length), ByteOrder.LITTLE_ENDIAN));
        } catch (CorruptDataException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** Throws if the byte at index {@code i} is not a number of the format. */
    private static void check(DataType type, NumberFormat format, byte[] array, int i) {
        byte value = array[i];
        // the byte that stores the number in the lowest bits: sign-extended for signed integers, else zero-extended
        long canonical = format instanceof IntegerFormat integers ? integers.value(value) : format.cut(value);
        if ((byte) canonical != value) {
            String range = format instanceof IntegerFormat integers
                    ? integers.min() + " to " + integers.max()
                    : "the lowest " + format.bits() + " bits";
            throw new IllegalArgumentException(
                    "element " + i + " is " + value + ", which is not a " + type.name() + " (" + range + ")");
        }
    }
}
