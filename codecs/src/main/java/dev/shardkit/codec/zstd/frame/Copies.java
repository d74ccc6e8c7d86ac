package dev.shardkit.codec.zstd.frame;

/** Copies literals and matches, in words where there is room for their last one to go past the end. Stateless. */
final class Copies {
  /** How far the copies in words may go past the end, in what they read and what they write. */
  static final int SLACK = 16;

  private static final int SHORT = 128;

  private Copies() {}

  /** Copies {@code n} literals. */
  static void literals(byte[] from, int at, byte[] out, int outAt, int n) {
    Words.int64(out, outAt, Words.int64(from, at));
    if (n > 8) {
      if (n > SHORT) {
        System.arraycopy(from, at + 8, out, outAt + 8, n - 8);
        return;
      }
      for (int i = 8; i < n; i += 8) {
        Words.int64(out, outAt + i, Words.int64(from, at + i));
      }
    }
  }

  /** Copies {@code n} bytes that begin {@code offset} bytes before {@code at} to {@code at}; they may overlap. */
  static void match(byte[] out, int at, int offset, int n) {
    int from = at - offset;
    if (offset < 8) {
      repeat(out, at, offset, n);
      return;
    }
    Words.int64(out, at, Words.int64(out, from));
    Words.int64(out, at + 8, Words.int64(out, from + 8));
    if (n > 16) {
      if (n > SHORT) {
        exactMatch(out, at, offset, n);
        return;
      }
      for (int i = 16; i < n; i += 8) {
        Words.int64(out, at + i, Words.int64(out, from + i));
      }
    }
  }

  /** Repeats the last {@code period} bytes, up to 7, from a word that holds as many of them as it can. */
  private static void repeat(byte[] out, int at, int period, int n) {
    int bits = 8 * period;
    long word = Words.int64(out, at - period) & (1L << bits) - 1;
    word |= word << bits;
    if (period < 4) {
      word |= word << 2 * bits;
      if (period == 1) {
        word |= word << 32;
      }
    }
    int step = period * (8 / period);
    for (int i = 0; i < n; i += step) {
      Words.int64(out, at + i, word);
    }
  }

  /** The same as {@link #match}, not a byte past the end. */
  static void exactMatch(byte[] out, int at, int offset, int n) {
    int from = at - offset;
    int done = 0;
    while (done < n) {
      // What is copied doubles each time: it repeats from there on.
      int more = Math.min(offset + done, n - done);
      System.arraycopy(out, from, out, at + done, more);
      done += more;
    }
  }
}
