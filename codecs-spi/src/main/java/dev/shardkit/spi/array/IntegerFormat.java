package dev.shardkit.spi.array;

/**
 * Integers of a given number of bits; signed ones in two's complement. A {@code long} carries the values; 64-bit
 * unsigned integers use all its bits. An immutable value.
 *
 * @param bits the number of bits, from 1 to 64
 * @param sign the meaning of the highest bit
 */
public record IntegerFormat(int bits, Sign sign) implements NumberFormat {
    /** The meaning of the highest bit. */
    public enum Sign {
        /** A sign, in two's complement. */
        SIGNED,
        /** Part of the magnitude. */
        UNSIGNED
    }

    /** Checks the number of bits. */
    public IntegerFormat {
        if (bits < 1 || bits > 64) {
            throw new IllegalArgumentException("expected an integer of 1 to 64 bits, found " + bits);
        }
    }

    /** Returns whether the format has negative values. */
    public boolean isSigned() {
        return sign == Sign.SIGNED;
    }

    /** Returns the value of the lowest bits of {@code word}. */
    public long value(long word) {
        return isSigned() ? word << 64 - bits >> 64 - bits : cut(word);
    }

    /** Returns the least value. */
    public long min() {
        return isSigned() ? -1L << bits - 1 : 0;
    }

    /** Returns the greatest value; for 64-bit unsigned integers, all ones. */
    public long max() {
        return isSigned() ? ~min() : -1L >>> 64 - bits;
    }

    /** Returns the decimal text of a value of this format. */
    public String text(long value) {
        return isSigned() ? Long.toString(value) : Long.toUnsignedString(value);
    }
}
