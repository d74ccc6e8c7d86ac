package dev.shardkit.spi.codec;

import dev.shardkit.spi.plan.Bytes;
import java.util.List;

/**
 * What has to happen to a stored object (or to the slice of one that an inner chunk is). Describes, does nothing: the
 * engine
 * carries it out by what the store can do.
 * Immutable and thread-safe.
 */
public sealed interface Edit {
  /** Nothing but the fill value is left: the object goes. */
  record Absent() implements Edit {}

  /** Nothing changes. */
  record Keep() implements Edit {}

  /** The object's content becomes these pieces, one after the other. */
  record Replace(List<Piece> pieces) implements Edit {
    /** Takes a copy of {@code pieces}. */
    public Replace {
      pieces = List.copyOf(pieces);
    }

    /** The new size in bytes. */
    public long size() {
      long size = 0;
      for (Piece p : pieces) {
        size = Math.addExact(size, p.size());
      }
      return size;
    }
  }

  /** The object is changed where it lies, in this order. */
  record Patch(List<Action> actions) implements Edit {
    /** Takes a copy of {@code actions}. */
    public Patch {
      actions = List.copyOf(actions);
    }
  }

  /** One step of a patch. */
  sealed interface Action {
    /** {@code bytes} are written at {@code offset}. */
    record Write(long offset, Bytes bytes) implements Action {}

    /** What came before must be durable before what follows. */
    record Barrier() implements Action {}

    /** The object ends at {@code size}. */
    record Truncate(long size) implements Action {}
  }

  /** The object's content becomes {@code bytes}. */
  static Edit replace(Bytes bytes) {
    return new Replace(List.of(new Piece.Literal(bytes)));
  }
}
