package dev.shardkit.codec.zstd.frame;

import dev.shardkit.codec.support.Words;
import java.util.Arrays;

/**
 * The probabilities of an FSE table as a frame describes them (RFC 8878, section 4.1.1). Reused from table to table;
 * not thread-safe.
 */
final class Distribution {
  private static final int LOWEST_LOG = 5;

  private final short[] counts = new short[256];
  private int log;
  private int symbols;

  /** Counts that the format itself gives. */
  static Distribution of(int log, int... counts) {
    Distribution d = new Distribution();
    d.log = log;
    for (int c : counts) {
      d.counts[d.symbols++] = (short) c;
    }
    return d;
  }

  /** The accuracy log: the table has {@code 1 << log} states. */
  int log() {
    return log;
  }

  /** How many symbols have a count. */
  int symbols() {
    return symbols;
  }

  /** How many states symbol {@code s} has; -1 for one state of the full number of bits. */
  int count(int s) {
    return counts[s];
  }

  /**
   * Reads a description that begins at {@code from} and ends before {@code to}; gives where it ends.
   *
   * @param mostSymbols how many symbols there may be
   */
  int read(byte[] in, int from, int to, int highestLog, int mostSymbols) {
    long at = 8L * from;
    log = LOWEST_LOG + bits(in, at, to, 4);
    at += 4;
    if (log > highestLog) {
      throw new Malformed(from, "expected an accuracy log of at most " + highestLog + ", found " + log);
    }
    Arrays.fill(counts, 0, mostSymbols, (short) 0);
    int remaining = 1 << log;
    int symbol = 0;
    while (remaining > 0) {
      if (symbol >= mostSymbols) {
        throw new Malformed(from, "expected counts of at most " + mostSymbols + " symbols, found more");
      }
      // A value up to remaining + 1, in one bit less where that is enough.
      int width = 32 - Integer.numberOfLeadingZeros(remaining + 1);
      int spare = (1 << width) - 2 - remaining;
      int all = bits(in, at, to, width);
      int half = 1 << width - 1;
      int low = all & half - 1;
      int value = low < spare ? low : all < half ? all : all - spare;
      at += low < spare ? width - 1 : width;
      int count = value - 1;
      counts[symbol++] = (short) count;
      remaining -= Math.abs(count);
      if (count == 0) {
        int run;
        do {
          run = bits(in, at, to, 2);
          at += 2;
          symbol += run;
        } while (run == 3 && symbol < mostSymbols);
      }
    }
    int end = (int) (at + 7 >>> 3);
    if (end > to) {
      throw new Malformed(from, "expected counts of " + (1 << log) + " in all, found the end of the block");
    }
    symbols = symbol;
    return end;
  }

  /** {@code n} bits, at most 16, from bit {@code at} of the array upwards; zero behind {@code to}. */
  private static int bits(byte[] in, long at, int to, int n) {
    int from = (int) (at >>> 3);
    int window;
    if (to - from >= 4) {
      window = Words.int32(in, from);
    } else {
      window = 0;
      for (int i = to - 1; i >= from; i--) {
        window = window << 8 | in[i] & 0xff;
      }
    }
    return window >>> (int) (at & 7) & (1 << n) - 1;
  }
}
