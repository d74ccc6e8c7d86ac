package dev.shardkit.hdf5;

import java.util.List;

/** How a number lies in the bits of a word that it does not fill, or fills in a form of its own. Immutable. */
sealed interface NumberForm {
    /** Returns the number in a word, as the bits of an integer or of a floating-point number of the word's size. */
    long decode(long word);

    /** Returns the word of a number. If it has none, the word is that of another number. */
    long encode(long number);

    /** Returns the size of a word in bytes. */
    int size();

    /** Returns the numbers that describe this form. */
    List<Long> parameters();

    /** Returns what is wrong with this form; empty if nothing is. */
    String problem();

    /** Returns a number of bits; larger ones are wrong in any word. */
    private static int small(long bits) {
        return (int) Math.min(bits, 1 << 16);
    }

    /**
     * An integer in some bits.
     *
     * @param size the size of a word in bytes
     * @param isSigned whether its highest bit is the sign
     * @param offset the number of unused bits below
     * @param precision the number of its bits
     */
    record Whole(int size, boolean isSigned, int offset, int precision) implements NumberForm {
        /** Creates a form of its {@link #parameters}, each of 32 bits. */
        static Whole of(int size, long[] parameters) {
            return new Whole(size, parameters[0] == 1, small(parameters[1]), small(parameters[2]));
        }

        @Override
        public long decode(long word) {
            int above = Long.SIZE - offset - precision;
            return isSigned ? word << above >> Long.SIZE - precision : word << above >>> Long.SIZE - precision;
        }

        @Override
        public long encode(long number) {
            return (number & -1L >>> Long.SIZE - precision) << offset;
        }

        @Override
        public List<Long> parameters() {
            return List.of(isSigned ? 1L : 0L, (long) offset, (long) precision);
        }

        @Override
        public String problem() {
            return size > Long.BYTES || offset < 0 || precision < 1 || offset + precision > Byte.SIZE * size
                    ? toString()
                    : "";
        }

        @Override
        public String toString() {
            return "an integer of " + precision + " bits from bit " + offset + " in " + size + " bytes";
        }
    }

    /**
     * A floating-point number of base 2 with an implied leading bit, subnormal numbers, infinities and NaN, as IEEE 754
     * has them.
     *
     * @param size the size of a word in bytes
     * @param sign the bit of the sign
     * @param exponent the lowest bit of the exponent
     * @param exponentBits the number of its bits
     * @param mantissa the lowest bit of the mantissa
     * @param mantissaBits the number of its bits, without the implied one
     * @param bias what is added to the exponent
     */
    record Real(int size, int sign, int exponent, int exponentBits, int mantissa, int mantissaBits, long bias)
            implements NumberForm {
        private static final int FLOAT_MANTISSA = 23;
        private static final int DOUBLE_MANTISSA = 52;
        private static final long DOUBLE_INFINITY = 0x7ff0000000000000L;

        /** Creates a form of its {@link #parameters}, each of 32 bits. */
        static Real of(int size, long[] p) {
            return new Real(size, small(p[0]), small(p[1]), small(p[2]), small(p[3]), small(p[4]), p[5]);
        }

        private long most() {
            return (1L << exponentBits) - 1;
        }

        private static long bits(long word, int from, int count) {
            return word >>> from & (1L << count) - 1;
        }

        @Override
        public long decode(long word) {
            long e = bits(word, exponent, exponentBits);
            long m = bits(word, mantissa, mantissaBits);
            boolean isNegative = bits(word, sign, 1) == 1;
            if (e == most() && m != 0) {
                return nan(m << ownMantissa() - mantissaBits, isNegative);
            }
            double number = e == most()
                    ? Double.POSITIVE_INFINITY
                    : scaled((double) (e == 0 ? m : m | 1L << mantissaBits), Math.max(1, e) - bias - mantissaBits);
            double signed = isNegative ? -number : number;
            return size == Float.BYTES
                    ? Float.floatToRawIntBits((float) signed) & 0xffffffffL
                    : Double.doubleToRawLongBits(signed);
        }

        private int ownMantissa() {
            return size == Float.BYTES ? FLOAT_MANTISSA : DOUBLE_MANTISSA;
        }

        private long nan(long payload, boolean isNegative) {
            long all = size == Float.BYTES ? 0x7f800000L : DOUBLE_INFINITY;
            return all | payload | (isNegative ? 1L << Byte.SIZE * size - 1 : 0);
        }

        @Override
        public long encode(long number) {
            long own = size == Float.BYTES ? 0x7f800000L : DOUBLE_INFINITY;
            long payload = number & (1L << ownMantissa()) - 1;
            long negative = (number >>> Byte.SIZE * size - 1 & 1) << sign;
            if ((number & own) == own) {
                return negative | most() << exponent | payload >>> ownMantissa() - mantissaBits << mantissa;
            }
            return negative
                    | finite(Math.abs(
                            size == Float.BYTES
                                    ? Float.intBitsToFloat((int) number)
                                    : Double.longBitsToDouble(number)));
        }

        /** Returns the word of a number that is not negative. */
        private long finite(double number) {
            long e = Math.getExponent(number) + bias;
            if (number == 0 || e < 1) {
                return (long) scaled(number, bias - 1 + mantissaBits) << mantissa;
            } else if (e >= most()) {
                return most() << exponent;
            }
            long whole = (long) scaled(number, mantissaBits - Math.getExponent(number));
            return e << exponent | bits(whole, 0, mantissaBits) << mantissa;
        }

        private static double scaled(double number, long exponent) {
            return Math.scalb(number, (int) Math.max(-5000, Math.min(5000, exponent)));
        }

        @Override
        public List<Long> parameters() {
            return List.of(
                    (long) sign, (long) exponent, (long) exponentBits, (long) mantissa, (long) mantissaBits, bias);
        }

        /** Each number must be one of the type of the same size. */
        @Override
        public String problem() {
            int bits = Byte.SIZE * size;
            boolean isFloat = size == Float.BYTES;
            boolean fits = (isFloat || size == Double.BYTES)
                    && sign >= 0
                    && exponent >= 0
                    && mantissa >= 0
                    && exponentBits >= 1
                    && mantissaBits >= 1
                    && sign < bits
                    && exponentBits <= (isFloat ? Byte.SIZE : 11)
                    && mantissaBits <= ownMantissa()
                    && exponent + exponentBits <= bits
                    && mantissa + mantissaBits <= bits
                    && most() - 1 - bias <= (isFloat ? Float.MAX_EXPONENT : Double.MAX_EXPONENT)
                    && (isFloat ? 1 - bias - mantissaBits >= -149 : 1 - bias >= Double.MIN_EXPONENT);
            return fits ? "" : toString();
        }

        @Override
        public String toString() {
            return "a floating-point number of " + size + " bytes with " + exponentBits + " bits of exponent, "
                    + mantissaBits + " of mantissa and a bias of " + bias;
        }
    }
}
