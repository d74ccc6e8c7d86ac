package dev.shardkit.codec.scaleoffset;

import dev.shardkit.spi.array.IntegerFormat;

/**
 * Integer arithmetic in one format. Throws {@link ArithmeticException} if a result is out of range or not an integer.
 * Immutable and thread-safe.
 */
record WholeArithmetic(IntegerFormat format) {
    /** Returns whether values are unsigned numbers of 64 bits. A {@code long} holds those from 2^63 on as negatives. */
    private boolean isUnsigned64() {
        return format.bits() == 64 && !format.isSigned();
    }

    private long checked(long value) {
        if (value < format.min() || value > format.max()) {
            throw overflow();
        }
        return value;
    }

    private static ArithmeticException overflow() {
        return new ArithmeticException("out of range for the type");
    }

    long add(long a, long b) {
        if (!isUnsigned64()) {
            return checked(Math.addExact(a, b));
        } else if (Long.compareUnsigned(a + b, a) < 0) {
            throw overflow();
        }
        return a + b;
    }

    long subtract(long a, long b) {
        if (!isUnsigned64()) {
            return checked(Math.subtractExact(a, b));
        } else if (Long.compareUnsigned(a, b) < 0) {
            throw overflow();
        }
        return a - b;
    }

    long multiply(long a, long b) {
        if (!isUnsigned64()) {
            return checked(Math.multiplyExact(a, b));
        } else if (b != 0 && Long.compareUnsigned(a, Long.divideUnsigned(-1L, b)) > 0) {
            throw overflow();
        }
        return a * b;
    }

    /** Returns the quotient, which must be an integer; {@code b} must not be 0. */
    long divide(long a, long b) {
        if (isUnsigned64() ? Long.remainderUnsigned(a, b) != 0 : a % b != 0) {
            throw overflow();
        } else if (isUnsigned64()) {
            return Long.divideUnsigned(a, b);
        } else if (b == -1) {
            return checked(Math.negateExact(a));
        }
        return checked(a / b);
    }
}
