package dev.shardkit.spi.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Little-endian words in byte arrays at any offset. Offsets outside the array throw. Stateless. */
public final class Words {
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Words() {}

    /** Reads 2 bytes as an unsigned number. */
    public static int int16(byte[] in, int at) {
        return (short) SHORT.get(in, at) & 0xFFFF;
    }

    /** Writes 2 bytes. */
    public static void int16(byte[] out, int at, int value) {
        SHORT.set(out, at, (short) value);
    }

    /** Reads 4 bytes. */
    public static int int32(byte[] in, int at) {
        return (int) INT.get(in, at);
    }

    /** Writes 4 bytes. */
    public static void int32(byte[] out, int at, int value) {
        INT.set(out, at, value);
    }

    /** Reads 8 bytes. */
    public static long int64(byte[] in, int at) {
        return (long) LONG.get(in, at);
    }

    /** Writes 8 bytes. */
    public static void int64(byte[] out, int at, long value) {
        LONG.set(out, at, value);
    }
}
