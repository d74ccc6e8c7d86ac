package dev.shardkit.codec.sharding;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.codec.WritePolicy.Strategy;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What became of the inner chunks that a write touches, and hence of their shard. Here the strategies part: a way to
 * write a shard takes this and makes an edit, or declines, and the next is tried. Immutable.
 *
 * @param shard the shard as it is
 * @param before the index that lies there now; empty if there is none, or all of the shard is overwritten
 * @param touched the cells of the inner chunks touched
 * @param edits one for each of them, C order
 */
record InnerEdits(
        Cells cells,
        ChunkCodec inner,
        IndexFormat index,
        Source shard,
        WritePolicy policy,
        Optional<ShardIndex> before,
        Box touched,
        List<Edit> edits) {

    /** What becomes of the shard. */
    Plan<Edit> plan() {
        if (before.isEmpty()) {
            return Plan.defer(
                    shard.place(), scratch -> Plan.done(Rewrite.edit(this, Foreign.NONE, Optional.empty(), scratch)));
        }
        if (changesNothing()) {
            return Plan.done(dropsEmpty() && before.get().isEmpty() ? new Edit.Absent() : new Edit.Keep());
        }
        if (dropsEmpty() && leavesNothing()) {
            return Plan.done(new Edit.Absent());
        }
        if (policy.strategy() == Strategy.REWRITE || !Adopted.mayBe(before.get())) {
            return byStrategy();
        }
        return new Adopted(index)
                .fileSize(shard)
                .then(file -> file.isEmpty()
                        ? byStrategy()
                        : Rewrite.plan(
                                this, Optional.of("the shard is an adopted file, which is not changed where it lies")));
    }

    private Plan<Edit> byStrategy() {
        if (policy.strategy() == Strategy.IN_PLACE) {
            return Plan.defer(shard.place(), scratch -> new InPlace(this, before.get()).plan(scratch))
                    .then(tried -> tried instanceof Attempt.Made made
                            ? Plan.done(made.edit())
                            : append(Optional.of("in place: " + ((Attempt.Declined) tried).why())));
        }
        return policy.strategy() == Strategy.APPEND ? append(Optional.empty()) : Rewrite.plan(this, Optional.empty());
    }

    private Plan<Edit> append(Optional<String> instead) {
        Append append = new Append(this, before.orElseThrow(), instead);
        return Plan.defer(shard.place(), append::plan).then(tried -> {
            if (tried instanceof Attempt.Made made) {
                return Plan.done(made.edit());
            }
            String why = "append: " + ((Attempt.Declined) tried).why();
            return Rewrite.plan(
                    this, Optional.of(instead.map(first -> first + "; " + why).orElse(why)));
        });
    }

    private boolean changesNothing() {
        for (int t = 0; t < count(); t++) {
            if (!isSame(t)) {
                return false;
            }
        }
        return true;
    }

    /** Whether edit {@code t} changes nothing. */
    boolean isSame(int t) {
        return edits.get(t) instanceof Edit.Keep || (edits.get(t) instanceof Edit.Absent && was(t).isEmpty());
    }

    /** Whether no inner chunk is stored after the edits. */
    boolean leavesNothing() {
        for (int t = 0; t < count(); t++) {
            if (!(edits.get(t) instanceof Edit.Absent || (isSame(t) && was(t).isEmpty()))) {
                return false;
            }
        }
        int t = 0; // the edits are in the order of the numbers
        for (long i = 0; before.isPresent() && i < index.count(); i++) {
            boolean goes = t < count() && number(t) == i;
            if (!goes && !before.get().isMissing(i)) {
                return false;
            }
            t += goes ? 1 : 0;
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

    /** The inner chunk that edit {@code t} is for, for messages. */
    String name(int t) {
        return "inner chunk " + Arrays.toString(touched.at(t));
    }

    /** Where the inner chunk of edit {@code t} lies now. */
    Optional<Extent> was(int t) {
        return before.flatMap(entries -> entries.extent(number(t)));
    }

    /**
     * What the inner chunk of edit {@code t} holds afterwards, counted from the shard's first byte; empty if nothing.
     */
    Optional<List<Piece>> content(int t) {
        Edit edit = edits.get(t);
        if (edit instanceof Edit.Replace replace) {
            return Optional.of(shift(replace.pieces(), t));
        } else if (edit instanceof Edit.Keep) {
            return was(t).map(e -> List.of(new Piece.Moved(e.offset(), e.size())));
        } else if (edit instanceof Edit.Patch patch) {
            List<Piece> content = new ArrayList<>(Overlay.of(was(t).orElseThrow(), patch));
            content.addAll(shift(patch.appended(), t));
            return Optional.of(content);
        }
        return Optional.empty();
    }

    private List<Piece> shift(List<Piece> pieces, int t) {
        return pieces.stream()
                .map(p -> p instanceof Piece.Moved m
                        ? new Piece.Moved(Math.addExact(was(t).orElseThrow().offset(), m.offset()), m.size())
                        : p)
                .toList();
    }
}
