package dev.shardkit.codec.zstd.frame;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Little-endian words in byte arrays, at any offset. Stateless. */
final class Words {
  private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Words() {}

  static int int32(byte[] in, int at) {
    return (int) INT.get(in, at);
  }

  static long int64(byte[] in, int at) {
    return (long) LONG.get(in, at);
  }

  static void int64(byte[] out, int at, long value) {
    LONG.set(out, at, value);
  }
}
