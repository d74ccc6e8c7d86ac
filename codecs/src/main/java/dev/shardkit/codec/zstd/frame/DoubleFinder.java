package dev.shardkit.codec.zstd.frame;

import dev.shardkit.codec.support.Words;

/**
 * Takes the last place where the next eight bytes were seen, otherwise where the next few were, or the last offset.
 * Not for use by two threads at a time.
 */
final class DoubleFinder implements MatchFinder {
  private static final int PATIENCE = 8;
  private static final int WORD = 0;

  private final Positions words = new Positions();
  private final Positions starts = new Positions();
  private final int log;
  private final int drop;
  private int shift;
  private int wordNumber;
  private int startNumber;

  /**
   * A finder.
   *
   * @param log of its tables, for large frames
   * @param shortest how long a match is at least, 4 to 7
   */
  DoubleFinder(int log, int shortest) {
    this.log = log;
    this.drop = 64 - 8 * shortest;
  }

  @Override
  public void begin(int start, int size) {
    int bits = MatchFinder.tableLog(log, size);
    shift = 64 - bits;
    wordNumber = words.begin(bits, size) - start;
    startNumber = starts.begin(bits, size) - start;
  }

  @Override
  public void find(byte[] in, int lowest, int from, int to, Parts parts) {
    int[] ofWords = words.entries();
    int[] ofStarts = starts.entries();
    int shift = this.shift;
    int end = to - MARGIN;
    int anchor = from;
    int at = from;
    while (at < end) {
      long word = Words.int64(in, at);
      int wordHash = MatchFinder.hash(word, WORD, shift);
      int startHash = MatchFinder.hash(word, drop, shift);
      int match = ofWords[wordHash] - wordNumber;
      int near = ofStarts[startHash] - startNumber;
      ofWords[wordHash] = at + wordNumber;
      ofStarts[startHash] = at + startNumber;
      int repeated = at + 1 - parts.lastOffset();
      if (repeated >= lowest && Words.int32(in, repeated) == (int) (word >>> 8)) {
        at++;
        match = repeated;
      } else if (match < lowest || Words.int64(in, match) != word) {
        if (near < lowest || (Words.int64(in, near) ^ word) << drop != 0) {
          at += 1 + (at - anchor >> PATIENCE);
          continue;
        }
        match = near;
        long next = Words.int64(in, at + 1);
        int nextHash = MatchFinder.hash(next, WORD, shift);
        int longer = ofWords[nextHash] - wordNumber;
        ofWords[nextHash] = at + 1 + wordNumber;
        if (longer >= lowest && Words.int64(in, longer) == next) {
          at++;
          match = longer;
        }
      }
      int found = at;
      int length = 4 + MatchFinder.length(in, match + 4, at + 4, to);
      while (at > anchor && match > lowest && in[at - 1] == in[match - 1]) {
        at--;
        match--;
        length++;
      }
      parts.add(in, anchor, at - anchor, at - match, length);
      at += length;
      anchor = at;
      if (at < end) {
        learn(in, found + 2);
        learn(in, at - 2);
        at = FastFinder.repeats(in, lowest, at, to, parts);
        anchor = at;
      }
    }
    parts.literals(in, anchor, to - anchor);
  }

  private void learn(byte[] in, int at) {
    long word = Words.int64(in, at);
    words.entries()[MatchFinder.hash(word, WORD, shift)] = at + wordNumber;
    starts.entries()[MatchFinder.hash(word, drop, shift)] = at + startNumber;
  }
}
