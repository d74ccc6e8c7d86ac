package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.WritePolicy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Inner chunks overwritten where they lie, the index untouched: possible if each that changes was stored and keeps
 * its size, and no other inner chunk has a byte in common with it. Pure. Not thread-safe.
 */
final class InPlace {
  private final InnerEdits inner;
  private final List<Edit.Write> writes = new ArrayList<>();
  private final NavigableMap<Long, Long> written = new TreeMap<>();
  private final Set<Long> numbers = new HashSet<>();

  private InPlace(InnerEdits inner) {
    this.inner = inner;
  }

  /** The patch; empty if there is none. */
  static Optional<Edit> patch(InnerEdits inner) {
    InPlace place = new InPlace(inner);
    boolean possible = inner.before().isPresent() && place.collect() && place.isAlone(inner.before().get());
    return possible
        ? Optional.of(new Edit.Patch(inner.before().get().shardSize(), List.of(), place.writes,
            Edit.Recovery.JOURNAL, WritePolicy.Strategy.IN_PLACE, Optional.empty()))
        : Optional.empty();
  }

  private boolean collect() {
    for (int t = 0; t < inner.count(); t++) {
      Edit edit = inner.edits().get(t);
      Optional<Extent> was = inner.was(t);
      boolean same = edit instanceof Edit.Keep || (edit instanceof Edit.Absent && was.isEmpty());
      if (same) {
        continue;
      }
      if (was.isEmpty() || !add(edit, was.get()) || !claim(was.get())) {
        return false;
      }
      numbers.add(inner.number(t));
    }
    return true;
  }

  private boolean add(Edit edit, Extent was) {
    if (edit instanceof Edit.Patch patch) {
      return patch.appended().isEmpty() && patch.overwritten().stream().allMatch(w -> add(w, was));
    }
    if (!(edit instanceof Edit.Replace replace) || replace.size() != was.size()
        || !replace.pieces().stream().allMatch(p -> p instanceof Piece.Literal)) {
      return false;
    }
    long at = was.offset();
    for (Piece piece : replace.pieces()) {
      writes.add(new Edit.Write(at, ((Piece.Literal) piece).bytes()));
      at += piece.size();
    }
    return true;
  }

  private boolean add(Edit.Write write, Extent was) {
    boolean inside = write.offset() <= was.size() - write.bytes().size();
    return inside && writes.add(new Edit.Write(was.offset() + write.offset(), write.bytes()));
  }

  /** Whether no inner chunk that is patched has a byte in common with {@code extent}, which is patched next. */
  private boolean claim(Extent extent) {
    boolean free = !isWritten(extent);
    if (extent.size() > 0) {
      written.put(extent.offset(), extent.offset() + extent.size());
    }
    return free;
  }

  private boolean isWritten(Extent extent) {
    Map.Entry<Long, Long> nearest = written.lowerEntry(extent.offset() + extent.size());
    return extent.size() > 0 && nearest != null && nearest.getValue() > extent.offset();
  }

  /** Whether what is patched belongs to no other inner chunk. */
  private boolean isAlone(ShardIndex before) {
    for (long i = 0; i < before.count(); i++) {
      boolean real = !before.isMissing(i) && before.fault(i).isEmpty();
      if (real && isWritten(before.extent(i).orElseThrow()) && !numbers.contains(i)) {
        return false;
      }
    }
    return true;
  }
}
