package dev.shardkit.spi.array;

/**
 * How the lowest bits of a stored word represent a number. For codecs that compute with elements or pack their bits.
 * Readers ignore the bits above; in memory they are as {@link DataType#canonical} defines. Does not convert between
 * types; the codec {@code cast_value} does. An immutable value.
 */
public sealed interface NumberFormat permits IntegerFormat, FloatingFormat {
    /** Returns how many bits of a word belong to the number, from 1 to 64. */
    int bits();

    /** Returns those bits of {@code word} and sets the others to zero. */
    default long cut(long word) {
        return word & -1L >>> 64 - bits();
    }
}
