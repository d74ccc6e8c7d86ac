package dev.shardkit.spi.array;

/**
 * Integers of so many bits, signed ones in two's complement. Values are carried by a {@code long}; unsigned ones of 64
 * bits use all of it. Immutable, a value.
 *
 * @param bits from 1 to 64
 * @param sign how the highest bit counts
 */
public record WholeFormat(int bits, Sign sign) implements NumberFormat {
    /** How the highest bit counts. */
    public enum Sign {
        /** Two's complement. */
        SIGNED,
        /** As a magnitude. */
        UNSIGNED
    }

    /** Checks the number of bits. */
    public WholeFormat {
        if (bits < 1 || bits > 64) {
            throw new IllegalArgumentException("an integer of " + bits + " bits");
        }
    }

    /** Whether there are negative values. */
    public boolean isSigned() {
        return sign == Sign.SIGNED;
    }

    /** The value that the lowest bits of {@code word} are. */
    public long value(long word) {
        return isSigned() ? word << 64 - bits >> 64 - bits : cut(word);
    }

    /** The least value. */
    public long least() {
        return isSigned() ? -1L << bits - 1 : 0;
    }

    /** The greatest value; of 64 unsigned bits, all ones. */
    public long most() {
        return isSigned() ? ~least() : -1L >>> 64 - bits;
    }

    /** The decimal text of a value of this format. */
    public String text(long value) {
        return isSigned() ? Long.toString(value) : Long.toUnsignedString(value);
    }
}
