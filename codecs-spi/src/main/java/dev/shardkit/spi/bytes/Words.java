package dev.shardkit.spi.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads and writes little-endian words in byte arrays at any offset. Throws {@code IndexOutOfBoundsException} for words
 * that are not inside the array. Stateless.
 */
public final class Words {
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Words() {}

    /** Reads 2 bytes as an unsigned number. */
    public static int int16(byte[] bytes, int offset) {
        return (short) SHORT.get(bytes, offset) & 0xFFFF;
    }

    /** Writes 2 bytes. */
    public static void int16(byte[] bytes, int offset, int value) {
        SHORT.set(bytes, offset, (short) value);
    }

    /** Reads 4 bytes. */
    public static int int32(byte[] bytes, int offset) {
        return (int) INT.get(bytes, offset);
    }

    /** Writes 4 bytes. */
    public static void int32(byte[] bytes, int offset, int value) {
        INT.set(bytes, offset, value);
    }

    /** Reads 8 bytes. */
    public static long int64(byte[] bytes, int offset) {
        return (long) LONG.get(bytes, offset);
    }

    /** Writes 8 bytes. */
    public static void int64(byte[] bytes, int offset, long value) {
        LONG.set(bytes, offset, value);
    }
}
