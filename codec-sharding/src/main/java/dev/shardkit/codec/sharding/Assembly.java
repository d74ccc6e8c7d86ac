package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.plan.Scratch;
import java.util.ArrayList;
import java.util.List;

/**
 * A new shard under construction: inner chunks one behind the other in the order in which they are put, and their
 * index. Pure and deterministic. Not thread-safe.
 */
final class Assembly {
  private final IndexFormat index;
  private final long[] entries;
  private final List<Piece> pieces = new ArrayList<>();
  private long end;

  Assembly(IndexFormat index) {
    this.index = index;
    this.entries = ShardIndex.noEntries(index.count());
    this.end = index.firstByte();
  }

  /** Appends the content of inner chunk {@code number}. */
  void put(long number, List<Piece> content) {
    long start = end;
    content.forEach(this::append);
    set(number, start, end - start);
  }

  /** Gives inner chunk {@code number} the same bytes as {@code other}. */
  void share(long number, long other) {
    set(number, entries[(int) (2 * other)], entries[(int) (2 * other + 1)]);
  }

  private void set(long number, long offset, long size) {
    entries[(int) (2 * number)] = offset;
    entries[(int) (2 * number + 1)] = size;
  }

  private void append(Piece piece) {
    if (piece.size() == 0) {
      return;
    }
    end = Math.addExact(end, piece.size());
    int last = pieces.size() - 1;
    if (last >= 0 && piece instanceof Piece.Moved m && pieces.get(last) instanceof Piece.Moved before
        && before.offset() + before.size() == m.offset()) {
      pieces.set(last, new Piece.Moved(before.offset(), before.size() + m.size()));
    } else {
      pieces.add(piece);
    }
  }

  /** Whether no inner chunk was put. */
  boolean isEmpty() {
    for (long word : entries) {
      if (word != ShardIndex.NONE) {
        return false;
      }
    }
    return true;
  }

  /** The content of the shard, index included. */
  List<Piece> finish(Scratch scratch) {
    Piece literal = new Piece.Literal(index.encode(entries, scratch));
    pieces.add(index.firstByte() > 0 ? 0 : pieces.size(), literal);
    return pieces;
  }
}
