package dev.shardkit.hdf5.codec;

import java.util.List;

/**
 * The position and format of a number in the bits of a word. HDF5 describes each number type in this way (HDF5 file
 * format specification, datatype message), so a file may use formats that no processor supports.
 * {@link PackedNumbersCodec} converts such numbers. Immutable.
 */
public sealed interface NumberForm {
    /** Decodes a word. Returns the bits of an integer or of a standard floating-point number of the word's size. */
    long decode(long word);

    /** Encodes a number. If the format cannot represent it, the result represents another number. */
    long encode(long value);

    /** Returns the size of a word in bytes. */
    int size();

    /** Returns the parameters of this format, as the configuration of the codec stores them. */
    List<Long> parameters();

    /** Returns a description of the problem with this format; empty if it is supported. */
    String problem();

    /** Converts a number of bits to an int. Values above 2^16 become 2^16, which is too large for any word, too. */
    private static int clampBits(long bits) {
        return (int) Math.min(bits, 1 << 16);
    }

    /**
     * An integer in some bits of a word.
     *
     * @param size the size of a word in bytes
     * @param isSigned whether the highest bit is the sign
     * @param offset the number of unused bits below the integer
     * @param precision the number of bits of the integer
     */
    record Whole(int size, boolean isSigned, int offset, int precision) implements NumberForm {
        /** Creates a format from its {@link #parameters}. */
        static Whole of(int size, long[] parameters) {
            return new Whole(size, parameters[0] == 1, clampBits(parameters[1]), clampBits(parameters[2]));
        }

        @Override
        public long decode(long word) {
            int bitsAbove = Long.SIZE - offset - precision; // the bits of a long above the integer
            return isSigned ? word << bitsAbove >> Long.SIZE - precision : word << bitsAbove >>> Long.SIZE - precision;
        }

        @Override
        public long encode(long value) {
            return (value & -1L >>> Long.SIZE - precision) << offset;
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
     * A binary floating-point number with an implied leading bit, subnormal numbers, infinities and NaN, as in IEEE
     * 754.
     *
     * @param size the size of a word in bytes
     * @param sign the bit of the sign
     * @param exponent the lowest bit of the exponent
     * @param exponentBits the number of bits of the exponent
     * @param mantissa the lowest bit of the mantissa
     * @param mantissaBits the number of bits of the mantissa, without the implied one
     * @param bias the number that is added to the exponent
     */
    record Real(int size, int sign, int exponent, int exponentBits, int mantissa, int mantissaBits, long bias)
            implements NumberForm {
        // The bits of the mantissa in the standard formats, and the bits of infinity in a double.
        private static final int FLOAT_MANTISSA = 23;
        private static final int DOUBLE_MANTISSA = 52;
        private static final long DOUBLE_INFINITY = 0x7ff0000000000000L;

        /** Creates a format from its {@link #parameters}. */
        static Real of(int size, long[] parameters) {
            return new Real(
                    size,
                    clampBits(parameters[0]),
                    clampBits(parameters[1]),
                    clampBits(parameters[2]),
                    clampBits(parameters[3]),
                    clampBits(parameters[4]),
                    parameters[5]);
        }

        private long maxExponent() {
            return (1L << exponentBits) - 1;
        }

        /** Returns {@code count} bits of a word, from bit {@code offset} on. */
        private static long bits(long word, int offset, int count) {
            return word >>> offset & (1L << count) - 1;
        }

        @Override
        public long decode(long word) {
            long exponentValue = bits(word, exponent, exponentBits);
            long mantissaValue = bits(word, mantissa, mantissaBits);
            boolean isNegative = bits(word, sign, 1) == 1;
            if (exponentValue == maxExponent() && mantissaValue != 0) {
                return encodeNan(mantissaValue << targetMantissaBits() - mantissaBits, isNegative);
            }
            double value = exponentValue == maxExponent()
                    ? Double.POSITIVE_INFINITY
                    : scale(
                            (double) (exponentValue == 0 ? mantissaValue : mantissaValue | 1L << mantissaBits),
                            Math.max(1, exponentValue) - bias - mantissaBits);
            double signed = isNegative ? -value : value;
            return size == Float.BYTES
                    ? Float.floatToRawIntBits((float) signed) & 0xffffffffL
                    : Double.doubleToRawLongBits(signed);
        }

        private int targetMantissaBits() {
            return size == Float.BYTES ? FLOAT_MANTISSA : DOUBLE_MANTISSA;
        }

        /** Returns the NaN with these bits of the mantissa in the standard format. */
        private long encodeNan(long payload, boolean isNegative) {
            long infinityBits = size == Float.BYTES ? 0x7f800000L : DOUBLE_INFINITY;
            return infinityBits | payload | (isNegative ? 1L << Byte.SIZE * size - 1 : 0);
        }

        @Override
        public long encode(long value) {
            long exponentMask = size == Float.BYTES ? 0x7f800000L : DOUBLE_INFINITY;
            long payload = value & (1L << targetMantissaBits()) - 1;
            long signBit = (value >>> Byte.SIZE * size - 1 & 1) << sign;
            if ((value & exponentMask) == exponentMask) {
                return signBit
                        | maxExponent() << exponent
                        | payload >>> targetMantissaBits() - mantissaBits << mantissa;
            }
            return signBit
                    | encodeFinite(Math.abs(
                            size == Float.BYTES ? Float.intBitsToFloat((int) value) : Double.longBitsToDouble(value)));
        }

        /** Encodes a finite number that is not negative. */
        private long encodeFinite(double value) {
            long exponentValue = Math.getExponent(value) + bias;
            if (value == 0 || exponentValue < 1) {
                return (long) scale(value, bias - 1 + mantissaBits) << mantissa;
            } else if (exponentValue >= maxExponent()) {
                return maxExponent() << exponent;
            }
            long mantissaInteger = (long) scale(value, mantissaBits - Math.getExponent(value));
            return exponentValue << exponent | bits(mantissaInteger, 0, mantissaBits) << mantissa;
        }

        /**
         * Returns {@code value * 2^exponent}. Limits the exponent to an int: beyond 5000, the result is 0 or infinity
         * anyway.
         */
        private static double scale(double value, long exponent) {
            return Math.scalb(value, (int) Math.max(-5000, Math.min(5000, exponent)));
        }

        @Override
        public List<Long> parameters() {
            return List.of(
                    (long) sign, (long) exponent, (long) exponentBits, (long) mantissa, (long) mantissaBits, bias);
        }

        /**
         * Returns a problem unless {@code float} or {@code double} of the same size can represent every number of the
         * format.
         */
        @Override
        public String problem() {
            int bits = Byte.SIZE * size;
            boolean isFloat = size == Float.BYTES;
            boolean isSupported = (isFloat || size == Double.BYTES)
                    && sign >= 0
                    && exponent >= 0
                    && mantissa >= 0
                    && exponentBits >= 1
                    && mantissaBits >= 1
                    && sign < bits
                    && exponentBits <= (isFloat ? Byte.SIZE : 11)
                    && mantissaBits <= targetMantissaBits()
                    && exponent + exponentBits <= bits
                    && mantissa + mantissaBits <= bits
                    && maxExponent() - 1 - bias <= (isFloat ? Float.MAX_EXPONENT : Double.MAX_EXPONENT)
                    // The smallest subnormal float is 2^-149: decode() computes in double and rounds to float, so
                    // subnormal numbers of the format may be subnormal floats. For a double, the smallest normal
                    // number of the format must be a normal double.
                    && (isFloat ? 1 - bias - mantissaBits >= -149 : 1 - bias >= Double.MIN_EXPONENT);
            return isSupported ? "" : toString();
        }

        @Override
        public String toString() {
            return "a floating-point number of " + size + " bytes with " + exponentBits + " bits of exponent, "
                    + mantissaBits + " of mantissa and a bias of " + bias;
        }
    }
}
