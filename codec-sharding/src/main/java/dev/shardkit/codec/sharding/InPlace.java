package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.codec.Piece;
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
  private final List<Edit.Action> actions = new ArrayList<>();
  private final NavigableMap<Long, Long> written = new TreeMap<>();
  private final Set<Long> numbers = new HashSet<>();

  private InPlace(InnerEdits inner) {
    this.inner = inner;
  }

  /** The patch; empty if there is none. */
  static Optional<Edit> patch(InnerEdits inner) {
    InPlace place = new InPlace(inner);
    boolean possible = inner.before().isPresent() && place.collect() && place.isAlone(inner.before().get());
    return possible ? Optional.of(new Edit.Patch(place.actions)) : Optional.empty();
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
      return patch.actions().stream().allMatch(a -> add(a, was));
    }
    if (!(edit instanceof Edit.Replace replace) || replace.size() != was.size()
        || !replace.pieces().stream().allMatch(p -> p instanceof Piece.Literal)) {
      return false;
    }
    long at = was.offset();
    for (Piece piece : replace.pieces()) {
      actions.add(new Edit.Action.Write(at, ((Piece.Literal) piece).bytes()));
      at += piece.size();
    }
    return true;
  }

  private boolean add(Edit.Action action, Extent was) {
    if (action instanceof Edit.Action.Write w && w.offset() <= was.size() - w.bytes().size()) {
      actions.add(new Edit.Action.Write(was.offset() + w.offset(), w.bytes()));
      return true;
    } else if (action instanceof Edit.Action.Barrier) {
      actions.add(action);
      return true;
    }
    return false;
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
