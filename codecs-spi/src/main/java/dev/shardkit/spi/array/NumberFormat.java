package dev.shardkit.spi.array;

/**
 * How the lowest bits of a stored word are a number: for codecs that compute with elements or pack their bits. Bits
 * above are ignored by readers; elements in memory have them as {@link DataType#canonical} says. Immutable, a value.
 * Not a conversion of types: {@code cast_value} is one.
 */
public sealed interface NumberFormat permits WholeFormat, FloatingFormat {
    /** How many bits of a word belong to the number, from 1 to 64. */
    int bits();

    /** Those bits of {@code word}, the others zero. */
    default long cut(long word) {
        return word & -1L >>> 64 - bits();
    }
}
