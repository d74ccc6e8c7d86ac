package dev.shardkit.spi.type;

/** Converts between binary16 bits, for which Java 17 has no type, and Java numbers. Stateless and thread-safe. */
public final class Float16 {
    private Float16() {}

    /** Returns the exact value of binary16 {@code bits}. The sign and the payload bits of a NaN are kept. */
    public static float toFloat(short bits) {
        int sign = (bits & 0x8000) << 16;
        int exponent = bits >> 10 & 0x1f;
        int fraction = bits & 0x3ff;
        if (exponent == 0x1f) {
            return Float.intBitsToFloat(sign | 0x7f800000 | fraction << 13);
        }
        if (exponent == 0) {
            float magnitude = fraction * 0x1p-24f;
            return sign == 0 ? magnitude : -magnitude;
        }
        // The biases of the exponents, 127 and 15, differ by 112.
        return Float.intBitsToFloat(sign | (exponent + 112) << 23 | fraction << 13);
    }

    /**
     * Returns the bits of the binary16 nearest to {@code value}, ties to even; values beyond the largest become an
     * infinity.
     */
    public static short ofDouble(double value) {
        int sign = (int) (Double.doubleToRawLongBits(value) >>> 48) & 0x8000;
        double magnitude = Math.abs(value);
        if (Double.isNaN(value)) {
            return (short) (sign | 0x7e00);
        }
        // Halfway between the largest value, 65504, and the next power of two.
        if (magnitude >= 65520) {
            return (short) (sign | 0x7c00);
        }
        // Subnormal: a multiple of 2^-24.
        if (magnitude < 0x1p-14) {
            return (short) (sign | (int) Math.rint(magnitude * 0x1p24));
        }
        int exponent = Math.getExponent(magnitude);
        int fraction = (int) Math.rint(Math.scalb(magnitude, 10 - exponent)) - 1024;
        // A fraction that was rounded up to 1024 carries into the exponent, as it should.
        return (short) (sign | ((exponent + 15 << 10) + fraction));
    }
}
