package dev.shardkit.codec.sharding;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.error.Place;
import dev.shardkit.spi.plan.Scratch;
import java.util.List;
import java.util.Optional;

/**
 * What became of the inner chunks that a write touches, and hence of their shard. Here the strategies part: a way to
 * write a shard takes this and makes an edit, or declines. Immutable.
 *
 * @param place where the shard lies, for errors
 * @param before the index that lies there now; empty if there is none, or all of the shard is overwritten
 * @param touched the cells of the inner chunks touched
 * @param edits one for each of them, C order
 */
record InnerEdits(
    Cells cells, IndexFormat index, Place place, WritePolicy policy, Optional<ShardIndex> before, Box touched,
    List<Edit> edits) {

  /** What becomes of the shard. */
  Edit edit(Scratch scratch) {
    if (before.isPresent() && changesNothing()) {
      return dropsEmpty() && before.get().isEmpty() ? new Edit.Absent() : new Edit.Keep();
    }
    Optional<Edit> patch = policy.strategy() == WritePolicy.Strategy.IN_PLACE
        ? InPlace.patch(this) : Optional.empty();
    return patch.orElseGet(() -> Rewrite.edit(this, scratch));
  }

  private boolean changesNothing() {
    for (int t = 0; t < count(); t++) {
      boolean same = edits.get(t) instanceof Edit.Keep || (edits.get(t) instanceof Edit.Absent && was(t).isEmpty());
      if (!same) {
        return false;
      }
    }
    return true;
  }

  /** Whether a shard that holds nothing is not stored. */
  boolean dropsEmpty() {
    return policy.emptyChunks() == WritePolicy.EmptyChunks.DROP;
  }

  /** How many inner chunks are touched. */
  int count() {
    return edits.size();
  }

  /** The number of the inner chunk that edit {@code t} is for; these ascend. */
  long number(int t) {
    return cells.number(touched.at(t));
  }

  /** Where the inner chunk of edit {@code t} lies now. */
  Optional<Extent> was(int t) {
    return before.flatMap(entries -> entries.extent(number(t)));
  }
}
