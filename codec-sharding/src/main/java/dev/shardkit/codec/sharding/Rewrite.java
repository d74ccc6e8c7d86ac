package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Scratch;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A new shard in the place of the old one: all inner chunks in C order, those untouched moved as encoded bytes,
 * without the bytes of the old shard that no entry names. Pure: the same edits make the same shard. Not thread-safe.
 */
final class Rewrite {
  private final InnerEdits inner;
  private final Assembly shard;
  private final Map<Extent, Long> shared = new HashMap<>();

  private Rewrite(InnerEdits inner) {
    this.inner = inner;
    this.shard = new Assembly(inner.index());
  }

  /** The edit that rewrites the shard. */
  static Edit edit(InnerEdits inner, Scratch scratch) {
    return new Rewrite(inner).edit(scratch);
  }

  private Edit edit(Scratch scratch) {
    boolean overlap = inner.before().isPresent() && overlaps(inner.before().get());
    int t = 0;
    for (long i = 0; i < inner.index().count(); i++) {
      if (t < inner.count() && inner.number(t) == i) {
        Optional<List<Piece>> content = content(inner.edits().get(t), inner.was(t));
        if (content.isPresent()) {
          shard.put(i, content.get());
        }
        t++;
      } else if (inner.before().isPresent()) {
        move(i, inner.before().get().extent(i), overlap);
      }
    }
    return shard.isEmpty() && inner.dropsEmpty() ? new Edit.Absent() : new Edit.Replace(shard.finish(scratch));
  }

  private void move(long number, Optional<Extent> from, boolean overlap) {
    if (from.isEmpty()) {
      return;
    }
    Optional<Long> same = overlap ? Optional.ofNullable(shared.putIfAbsent(from.get(), number)) : Optional.empty();
    if (same.isPresent()) {
      shard.share(number, same.get());
    } else {
      shard.put(number, List.of(new Piece.Moved(from.get().offset(), from.get().size())));
    }
  }

  /**
   * Whether the inner chunks that are stored, untouched ones checked first, have more bytes than the shard has for
   * them. Then entries that are equal stay one. If that does not help, a small shard could grow without end, and is
   * refused.
   */
  private boolean overlaps(ShardIndex before) {
    before.checkAll(inner.cells(), inner.place());
    long room = before.shardSize() - before.index().size();
    boolean overlap = exceeds(before, room, Optional.empty());
    if (overlap && exceeds(before, room, Optional.of(new HashSet<>()))) {
      throw new CorruptDataException("shard index: inner chunks that overlap and differ have more bytes than the "
          + room + " that the shard has for them")
          .locate(Optional.empty(), Optional.of(inner.place()), Optional.empty());
    }
    return overlap;
  }

  /** Whether the sizes sum up to more than {@code room}; each extent counts once if {@code seen} is given. */
  private static boolean exceeds(ShardIndex before, long room, Optional<Set<Extent>> seen) {
    long left = room;
    for (long i = 0; i < before.count() && left >= 0; i++) {
      Optional<Extent> extent = before.extent(i);
      if (extent.isPresent() && (seen.isEmpty() || seen.get().add(extent.get()))) {
        left -= extent.get().size();
      }
    }
    return left < 0;
  }

  /** What an inner chunk holds after its edit, counted from the shard's first byte. */
  private static Optional<List<Piece>> content(Edit edit, Optional<Extent> was) {
    if (edit instanceof Edit.Replace replace) {
      return Optional.of(replace.pieces().stream().map(p -> shift(p, was)).toList());
    } else if (edit instanceof Edit.Keep) {
      return was.map(e -> List.of(new Piece.Moved(e.offset(), e.size())));
    } else if (edit instanceof Edit.Patch patch) {
      return Optional.of(Overlay.of(was.orElseThrow(), patch));
    }
    return Optional.empty();
  }

  private static Piece shift(Piece piece, Optional<Extent> was) {
    return piece instanceof Piece.Moved m
        ? new Piece.Moved(Math.addExact(was.orElseThrow().offset(), m.offset()), m.size())
        : piece;
  }
}
