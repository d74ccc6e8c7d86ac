package dev.shardkit.cli;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Shapes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * What is stored of a whole array: the inner chunks of all its shards side by side where there are not too many of
 * them, otherwise a character a shard. Not thread-safe.
 */
final class ArrayMap {
  private static final long MOST_INNER_CHUNKS = 1 << 24;

  private final ZarrArray array;
  private final long[] cells;
  private final List<Drawing.Mark> marks = new ArrayList<>();
  private final List<BitSet> inner = new ArrayList<>();
  private Optional<ShardMap> first = Optional.empty();
  private long chunks;
  private long bytes;
  private long places;
  private long storedPlaces;

  ArrayMap(ZarrArray array) {
    this.array = array;
    this.cells = array.storedChunks().cells();
  }

  /** Adds the next chunk, in C order. */
  void add(Optional<ShardMap> shard, boolean stored, long size) {
    chunks += stored ? 1 : 0;
    bytes += size;
    if (shard.isEmpty()) {
      marks.add(stored ? Drawing.Mark.ALL : Drawing.Mark.NONE);
      return;
    }
    first = first.or(() -> shard);
    long some = shard.get().stored();
    places += shard.get().places();
    storedPlaces += some;
    marks.add(some == 0 ? Drawing.Mark.NONE : some < shard.get().places() ? Drawing.Mark.SOME : Drawing.Mark.ALL);
    if (showsInner()) {
      inner.add(shard.get().storedOnes());
    }
  }

  private boolean showsInner() {
    return first.isPresent() && first.get().isAsInArray()
        && Shapes.count(cells) <= MOST_INNER_CHUNKS / Shapes.count(first.get().cells());
  }

  /** Counts and bytes, a fact a line. */
  List<String> facts() {
    List<String> lines = new ArrayList<>();
    String word = array.isSharded() ? "shards" : "chunks";
    lines.add(String.format("%-12s ", word) + Shapes.count(cells) + " of shape "
        + Arrays.toString(array.storedChunkShape()) + ", " + chunks + " stored, " + bytes + " bytes");
    if (first.isPresent()) {
      lines.add("inner chunks " + places + ", " + storedPlaces + " stored"
          + (showsInner() ? "" : "; a character stands for a shard"));
    }
    return lines;
  }

  /** The drawing. */
  List<String> drawing() {
    if (!showsInner()) {
      return Drawing.of(cells, i -> marks.get((int) i));
    }
    long[] per = first.get().cells();
    long[] all = new long[cells.length];
    for (int d = 0; d < all.length; d++) {
      all[d] = cells[d] * per[d];
    }
    return Drawing.of(all, i -> mark(Shapes.unravel(i, all), per));
  }

  /** The mark of one inner chunk by its place among those of all shards. */
  private Drawing.Mark mark(long[] at, long[] per) {
    long[] shard = new long[at.length];
    long[] within = new long[at.length];
    boolean outside = false;
    for (int d = 0; d < at.length; d++) {
      shard[d] = at[d] / per[d];
      within[d] = at[d] % per[d];
      long innerLength = array.storedChunkShape()[d] / per[d];
      outside |= at[d] * innerLength >= array.shape()[d];
    }
    boolean stored = inner.get((int) Shapes.ravel(shard, cells)).get((int) Shapes.ravel(within, per));
    return stored ? Drawing.Mark.ALL : outside ? Drawing.Mark.OUTSIDE : Drawing.Mark.NONE;
  }
}
