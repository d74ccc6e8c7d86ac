package dev.shardkit.carrier;

/** IEEE 754 binary16, whose conversions came into the JDK after 17. */
public final class Float16 {
    private Float16() {}

    /** The value of a float16's bits, exactly; NaN payloads are kept in the high bits. */
    public static float toFloat(short bits) {
        int sign = (bits & 0x8000) << 16;
        int exponent = (bits >> 10) & 0x1f;
        int fraction = bits & 0x3ff;
        if (exponent == 0x1f) {
            return Float.intBitsToFloat(sign | 0x7f800000 | fraction << 13);
        }
        if (exponent == 0) {
            float magnitude = fraction * 0x1p-24f;
            return sign == 0 ? magnitude : -magnitude;
        }
        return Float.intBitsToFloat(sign | (exponent + 112) << 23 | fraction << 13);
    }
}
