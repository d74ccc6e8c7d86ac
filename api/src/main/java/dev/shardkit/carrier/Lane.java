package dev.shardkit.carrier;

import dev.shardkit.spi.array.Carrier;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/** A Java array of one primitive type, read and written in rows of words. Bulk where both sides are contiguous. */
abstract class Lane {
  /**
   * Copies {@code n} words from index {@code a} in steps of {@code aStep} to index {@code b} in steps of {@code
   * bStep}.
   */
  @FunctionalInterface
  interface RowCopy {
    void copy(int a, int aStep, int b, int bStep, int n);
  }

  /** From the words in {@code words} to this array. */
  abstract RowCopy take(ByteBuffer words);

  /** From this array to the words in {@code words}. */
  abstract RowCopy give(ByteBuffer words);

  static Lane of(Carrier carrier, Object array) {
    return switch (carrier) {
      case BOOLEAN -> new Booleans((boolean[]) array);
      case BYTE -> new Bytes((byte[]) array);
      case SHORT -> new Shorts((short[]) array);
      case INT -> new Ints((int[]) array);
      case LONG -> new Longs((long[]) array);
      case FLOAT -> new Floats((float[]) array);
      case DOUBLE -> new Doubles((double[]) array);
      case STRING, BYTES -> throw new IllegalArgumentException(carrier + " has no words");
    };
  }

  private static final class Booleans extends Lane {
    private final boolean[] array;

    Booleans(boolean[] array) {
      this.array = array;
    }

    @Override
    RowCopy take(ByteBuffer words) {
      return (a, as, b, bs, n) -> {
        for (int k = 0; k < n; k++) {
          array[b + k * bs] = words.get(a + k * as) != 0;
        }
      };
    }

    @Override
    RowCopy give(ByteBuffer words) {
      return (a, as, b, bs, n) -> {
        for (int k = 0; k < n; k++) {
          words.put(b + k * bs, (byte) (array[a + k * as] ? 1 : 0));
        }
      };
    }
  }

  private static final class Bytes extends Lane {
    private final byte[] array;

    Bytes(byte[] array) {
      this.array = array;
    }

    @Override
    RowCopy take(ByteBuffer words) {
      return (a, as, b, bs, n) -> {
        if (as == 1 && bs == 1) {
          words.get(a, array, b, n);
          return;
        }
        for (int k = 0; k < n; k++) {
          array[b + k * bs] = words.get(a + k * as);
        }
      };
    }

    @Override
    RowCopy give(ByteBuffer words) {
      return (a, as, b, bs, n) -> {
        if (as == 1 && bs == 1) {
          words.put(b, array, a, n);
          return;
        }
        for (int k = 0; k < n; k++) {
          words.put(b + k * bs, array[a + k * as]);
        }
      };
    }
  }

  private static final class Shorts extends Lane {
    private final short[] array;

    Shorts(short[] array) {
      this.array = array;
    }

    @Override
    RowCopy take(ByteBuffer bytes) {
      ShortBuffer words = bytes.asShortBuffer();
      return (a, as, b, bs, n) -> {
        if (as == 1 && bs == 1) {
          words.get(a, array, b, n);
          return;
        }
        for (int k = 0; k < n; k++) {
          array[b + k * bs] = words.get(a + k * as);
        }
      };
    }

    @Override
    RowCopy give(ByteBuffer bytes) {
      ShortBuffer words = bytes.asShortBuffer();
      return (a, as, b, bs, n) -> {
        if (as == 1 && bs == 1) {
          words.put(b, array, a, n);
          return;
        }
        for (int k = 0; k < n; k++) {
          words.put(b + k * bs, array[a + k * as]);
        }
      };
    }
  }

  private static final class Ints extends Lane {
    private final int[] array;

    Ints(int[] array) {
      this.array = array;
    }

    @Override
    RowCopy take(ByteBuffer bytes) {
      IntBuffer words = bytes.asIntBuffer();
      return (a, as, b, bs, n) -> {
        if (as == 1 && bs == 1) {
          words.get(a, array, b, n);
          return;
        }
        for (int k = 0; k < n; k++) {
          array[b + k * bs] = words.get(a + k * as);
        }
      };
    }

    @Override
    RowCopy give(ByteBuffer bytes) {
      IntBuffer words = bytes.asIntBuffer();
      return (a, as, b, bs, n) -> {
        if (as == 1 && bs == 1) {
          words.put(b, array, a, n);
          return;
        }
        for (int k = 0; k < n; k++) {
          words.put(b + k * bs, array[a + k * as]);
        }
      };
    }
  }

  private static final class Longs extends Lane {
    private final long[] array;

    Longs(long[] array) {
      this.array = array;
    }

    @Override
    RowCopy take(ByteBuffer bytes) {
      LongBuffer words = bytes.asLongBuffer();
      return (a, as, b, bs, n) -> {
        if (as == 1 && bs == 1) {
          words.get(a, array, b, n);
          return;
        }
        for (int k = 0; k < n; k++) {
          array[b + k * bs] = words.get(a + k * as);
        }
      };
    }

    @Override
    RowCopy give(ByteBuffer bytes) {
      LongBuffer words = bytes.asLongBuffer();
      return (a, as, b, bs, n) -> {
        if (as == 1 && bs == 1) {
          words.put(b, array, a, n);
          return;
        }
        for (int k = 0; k < n; k++) {
          words.put(b + k * bs, array[a + k * as]);
        }
      };
    }
  }

  private static final class Floats extends Lane {
    private final float[] array;

    Floats(float[] array) {
      this.array = array;
    }

    @Override
    RowCopy take(ByteBuffer bytes) {
      FloatBuffer words = bytes.asFloatBuffer();
      return (a, as, b, bs, n) -> {
        if (as == 1 && bs == 1) {
          words.get(a, array, b, n);
          return;
        }
        for (int k = 0; k < n; k++) {
          array[b + k * bs] = words.get(a + k * as);
        }
      };
    }

    @Override
    RowCopy give(ByteBuffer bytes) {
      FloatBuffer words = bytes.asFloatBuffer();
      return (a, as, b, bs, n) -> {
        if (as == 1 && bs == 1) {
          words.put(b, array, a, n);
          return;
        }
        for (int k = 0; k < n; k++) {
          words.put(b + k * bs, array[a + k * as]);
        }
      };
    }
  }

  private static final class Doubles extends Lane {
    private final double[] array;

    Doubles(double[] array) {
      this.array = array;
    }

    @Override
    RowCopy take(ByteBuffer bytes) {
      DoubleBuffer words = bytes.asDoubleBuffer();
      return (a, as, b, bs, n) -> {
        if (as == 1 && bs == 1) {
          words.get(a, array, b, n);
          return;
        }
        for (int k = 0; k < n; k++) {
          array[b + k * bs] = words.get(a + k * as);
        }
      };
    }

    @Override
    RowCopy give(ByteBuffer bytes) {
      DoubleBuffer words = bytes.asDoubleBuffer();
      return (a, as, b, bs, n) -> {
        if (as == 1 && bs == 1) {
          words.put(b, array, a, n);
          return;
        }
        for (int k = 0; k < n; k++) {
          words.put(b + k * bs, array[a + k * as]);
        }
      };
    }
  }
}
