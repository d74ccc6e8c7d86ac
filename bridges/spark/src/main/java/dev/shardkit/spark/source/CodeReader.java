package dev.shardkit.spark.source;

import dev.shardkit.NdArray;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.WholeFormat;
import java.util.OptionalLong;

/** Reads codes of a classification: elements that are whole numbers. Stateless. */
final class CodeReader {
    private CodeReader() {}

    /**
     * Returns an element as a code; empty if it is no whole number of 64 bits with a sign, so that no code equals it.
     */
    static OptionalLong code(NdArray values, int i) {
        Object array = values.array();
        if (values.dataType().number().orElseThrow() instanceof WholeFormat format) {
            long word = array instanceof byte[] bytes
                    ? bytes[i]
                    : array instanceof short[] shorts
                            ? shorts[i]
                            : array instanceof int[] ints ? ints[i] : ((long[]) array)[i];
            long code = format.value(word);
            return code < 0 && !format.isSigned() ? OptionalLong.empty() : OptionalLong.of(code);
        }
        double number = array instanceof float[] floats
                ? floats[i]
                : array instanceof double[] doubles
                        ? doubles[i]
                        : ((FloatingFormat) values.dataType().number().get()).value(((short[]) array)[i]);
        return number == Math.rint(number) && Math.abs(number) < 0x1p63
                ? OptionalLong.of((long) number)
                : OptionalLong.empty();
    }
}
