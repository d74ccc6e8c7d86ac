package dev.shardkit.codec.scaleoffset;

import dev.shardkit.spi.array.WholeFormat;

/**
 * Arithmetic of integers of one format; what is outside of it, or no integer, is an {@link ArithmeticException}.
 * Immutable, thread-safe.
 */
record WholeArithmetic(WholeFormat format) {
    /** Whether values take all of a {@code long}, its highest bit among them. */
    private boolean isFull() {
        return format.bits() == 64 && !format.isSigned();
    }

    private long checked(long value) {
        if (value < format.least() || value > format.most()) {
            throw outside();
        }
        return value;
    }

    private static ArithmeticException outside() {
        return new ArithmeticException("outside of the type");
    }

    long add(long a, long b) {
        if (!isFull()) {
            return checked(Math.addExact(a, b));
        } else if (Long.compareUnsigned(a + b, a) < 0) {
            throw outside();
        }
        return a + b;
    }

    long subtract(long a, long b) {
        if (!isFull()) {
            return checked(Math.subtractExact(a, b));
        } else if (Long.compareUnsigned(a, b) < 0) {
            throw outside();
        }
        return a - b;
    }

    long multiply(long a, long b) {
        if (!isFull()) {
            return checked(Math.multiplyExact(a, b));
        } else if (b != 0 && Long.compareUnsigned(a, Long.divideUnsigned(-1L, b)) > 0) {
            throw outside();
        }
        return a * b;
    }

    /** The quotient, which must be an integer; {@code b} is not 0. */
    long divide(long a, long b) {
        if (isFull() ? Long.remainderUnsigned(a, b) != 0 : a % b != 0) {
            throw outside();
        } else if (isFull()) {
            return Long.divideUnsigned(a, b);
        } else if (b == -1) {
            return checked(Math.negateExact(a));
        }
        return checked(a / b);
    }
}
