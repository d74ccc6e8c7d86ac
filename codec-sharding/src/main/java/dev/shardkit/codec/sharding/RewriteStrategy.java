package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.shard.ShardBuilder;
import dev.shardkit.spi.shard.ShardIndex;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Replaces a shard by a new one with all inner chunks in the policy's order. Unchanged inner chunks move as encoded
 * bytes; unused bytes of the old shard are dropped. Deterministic and without I/O: the same edits give the same shard.
 * Not thread-safe.
 */
final class RewriteStrategy {
    private final InnerEdits inner;
    private final ShardBuilder shard;
    /** For each inner chunk, the number of its edit plus 1; 0 if the write does not touch it. */
    private final int[] touched;

    private RewriteStrategy(InnerEdits inner) {
        this.inner = inner;
        this.shard = inner.index().builder(ReservedSlots.slack(inner.policy(), inner.inner()));
        this.touched = new int[Math.toIntExact(inner.index().count())];
        for (int t = 0; t < inner.count(); t++) {
            touched[(int) inner.number(t)] = t + 1;
        }
    }

    /**
     * Returns a plan for the edit that rewrites the existing shard; it finds foreign bytes first.
     *
     * @param instead why the shard is rewritten, if the policy did not ask for it
     */
    static Plan<Edit> plan(InnerEdits inner, @Nullable String instead) {
        return plan(inner, Objects.requireNonNull(inner.before()), instead);
    }

    /**
     * Returns a plan for the edit that rewrites the existing shard.
     *
     * @param ours entries whose bytes are not foreign, even if their inner chunks are not kept
     */
    static Plan<Edit> plan(InnerEdits inner, ShardIndex ours, @Nullable String instead) {
        Objects.requireNonNull(inner.before())
                .checkAll(inner.cells().counts(), inner.shard().place());
        return ForeignBytes.find(inner.shard(), inner.index(), ours, inner.policy())
                .then(foreign -> {
                    foreign.refuse(inner.policy(), inner.shard().place());
                    return Plan.defer(
                            inner.shard().place(), scratch -> Plan.done(edit(inner, foreign, instead, scratch)));
                });
    }

    /** Returns the edit that rewrites the shard and keeps {@code foreign}. */
    static Edit edit(InnerEdits inner, ForeignBytes foreign, @Nullable String instead, Scratch scratch) {
        if (inner.leavesNothing() && inner.dropsEmpty()) {
            return new Edit.Absent();
        }
        boolean unmarked = !foreign.footer().isEmpty();
        return new Edit.Replace(
                new RewriteStrategy(inner).pieces(foreign.head(), foreign.tail(), unmarked, scratch),
                Optional.ofNullable(instead));
    }

    /**
     * Returns a plan for the edit that replaces the header and footer of the existing shard, also those of another
     * program.
     */
    static Plan<Edit> withMargins(InnerEdits inner, Bytes header, Bytes footer) {
        Objects.requireNonNull(inner.before())
                .checkAll(inner.cells().counts(), inner.shard().place());
        return Plan.defer(
                inner.shard().place(),
                scratch -> Plan.done(new Edit.Replace(new RewriteStrategy(inner)
                        .pieces(OwnMargins.newHeader(header), OwnMargins.newFooter(footer), false, scratch))));
    }

    /**
     * Returns the new shard.
     *
     * @param unmarked whether no mark tells where {@code tail} begins: it would grow by slack before it at each rewrite
     */
    private List<Piece> pieces(List<Piece> head, List<Piece> tail, boolean unmarked, Scratch scratch) {
        head.forEach(shard::put);
        ShardIndex before = inner.before();
        boolean overlap = before != null && before.overlaps(inner.shard().place());
        IntUnaryOperator order = order();
        List<Piece> fill = ReservedSlots.isWhole(inner.policy(), inner.inner())
                ? ReservedSlots.fill(inner.inner(), scratch)
                : List.of();
        for (int i = 0; i < touched.length; i++) {
            int number = order.applyAsInt(i);
            if (touched[number] > 0) {
                inner.content(touched[number] - 1).ifPresent(content -> shard.put(number, content));
            } else if (before != null) {
                before.extent(number).ifPresent(from -> move(number, from, overlap));
            }
            if (!fill.isEmpty() && shard.isMissing(number)) {
                shard.put(number, fill);
            }
        }
        if (unmarked) {
            shard.dropSlack();
        }
        tail.forEach(shard::put);
        return inner.index().finish(shard, scratch);
    }

    private IntUnaryOperator order() {
        WritePolicy.Order order = inner.policy().order();
        ShardIndex before = inner.before();
        if (order != WritePolicy.Order.AS_THEY_COME || before == null) {
            return WriteOrder.of(order, inner.cells().counts());
        }
        List<Integer> staying = new ArrayList<>();
        List<Integer> others = new ArrayList<>();
        for (int i = 0; i < touched.length; i++) {
            boolean stays =
                    !before.isMissing(i) && (touched[i] == 0 || inner.edits().get(touched[i] - 1) instanceof Edit.Keep);
            (stays ? staying : others).add(i);
        }
        staying.sort(Comparator.comparingLong(i -> before.offset(i)));
        staying.addAll(others);
        return staying::get;
    }

    private void move(long number, Extent from, boolean overlap) {
        if (overlap) {
            shard.moveOnce(number, from);
        } else {
            shard.move(number, from);
        }
    }
}
