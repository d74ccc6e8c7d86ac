package dev.shardkit.spi.array;

/**
 * How the lowest bits of a stored word represent a number. Codecs that compute with elements or pack their bits use it.
 * Readers ignore the higher bits; {@link DataType#canonical} defines them. Does not convert between types; the codec
 * {@code cast_value} does. An immutable value.
 */
public sealed interface NumberFormat permits IntegerFormat, FloatingFormat {
    /** Returns how many bits of a word belong to the number, from 1 to 64. */
    int bits();

    /** Returns {@code word} with its lowest {@link #bits} bits; the others are zero. */
    default long cut(long word) {
        return word & -1L >>> 64 - bits();
    }
}
