package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.codec.ShardWritePolicy;
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
        for (int edit = 0; edit < inner.count(); edit++) {
            touched[(int) inner.number(edit)] = edit + 1;
        }
    }

    /**
     * Returns a plan for the edit that rewrites the existing shard; it finds foreign bytes first.
     *
     * @param reason why the shard is rewritten, if the policy did not ask for it
     */
    static Plan<Edit> plan(InnerEdits inner, @Nullable String reason) {
        return plan(inner, Objects.requireNonNull(inner.before()), reason);
    }

    /**
     * Returns a plan for the edit that rewrites the existing shard.
     *
     * @param ownEntries entries whose bytes are not foreign, even if their inner chunks are not kept
     */
    static Plan<Edit> plan(InnerEdits inner, ShardIndex ownEntries, @Nullable String reason) {
        Objects.requireNonNull(inner.before())
                .checkAll(inner.cells().counts(), inner.shard().location());
        return ForeignBytes.find(inner.shard(), inner.index(), ownEntries, inner.policy())
                .then(foreign -> {
                    foreign.refuse(inner.policy(), inner.shard().location());
                    return Plan.defer(
                            inner.shard().location(), scratch -> Plan.done(edit(inner, foreign, reason, scratch)));
                });
    }

    /** Returns the edit that rewrites the shard and keeps {@code foreign}. */
    static Edit edit(InnerEdits inner, ForeignBytes foreign, @Nullable String reason, Scratch scratch) {
        if (inner.leavesNothing() && inner.dropsEmpty()) {
            return new Edit.Delete();
        }
        boolean isUnmarked = !foreign.footer().isEmpty();
        return new Edit.Replace(
                new RewriteStrategy(inner).pieces(foreign.head(), foreign.tail(), isUnmarked, scratch),
                Optional.ofNullable(reason));
    }

    /**
     * Returns a plan for the edit that replaces the header and footer of the existing shard, also those of another
     * program.
     */
    static Plan<Edit> withMargins(InnerEdits inner, Bytes header, Bytes footer) {
        Objects.requireNonNull(inner.before())
                .checkAll(inner.cells().counts(), inner.shard().location());
        boolean isUnmarked = false; // a mark precedes the new footer
        return Plan.defer(inner.shard().location(), scratch -> {
            List<Piece> pieces = new RewriteStrategy(inner)
                    .pieces(CallerMargins.newHeader(header), CallerMargins.newFooter(footer), isUnmarked, scratch);
            return Plan.done(new Edit.Replace(pieces));
        });
    }

    /**
     * Returns the pieces of the new shard.
     *
     * @param isUnmarked whether no mark shows where {@code tail} begins. Then no slack precedes it, because each
     *     rewrite would add that slack to the tail
     */
    private List<Piece> pieces(List<Piece> head, List<Piece> tail, boolean isUnmarked, Scratch scratch) {
        head.forEach(shard::put);
        ShardIndex before = inner.before();
        boolean overlaps = before != null && before.overlaps(inner.shard().location());
        IntUnaryOperator order = order();
        List<Piece> fill = ReservedSlots.isWhole(inner.policy(), inner.inner())
                ? ReservedSlots.fill(inner.inner(), scratch)
                : List.of();
        for (int i = 0; i < touched.length; i++) {
            int number = order.applyAsInt(i);
            if (touched[number] > 0) {
                inner.content(touched[number] - 1).ifPresent(content -> shard.put(number, content));
            } else if (before != null) {
                before.extent(number).ifPresent(old -> move(number, old, overlaps));
            }
            if (!fill.isEmpty() && shard.isMissing(number)) {
                shard.put(number, fill);
            }
        }
        if (isUnmarked) {
            shard.dropSlack();
        }
        tail.forEach(shard::put);
        return inner.index().finish(shard, scratch);
    }

    /** Returns which inner chunk is at each position of the new shard. */
    private IntUnaryOperator order() {
        ShardWritePolicy.Order order = inner.policy().order();
        ShardIndex before = inner.before();
        if (order != ShardWritePolicy.Order.AS_THEY_COME || before == null) {
            return WriteOrder.of(order, inner.cells().counts());
        }
        List<Integer> unchanged = new ArrayList<>();
        List<Integer> added = new ArrayList<>();
        for (int i = 0; i < touched.length; i++) {
            boolean isUnchanged =
                    !before.isMissing(i) && (touched[i] == 0 || inner.edits().get(touched[i] - 1) instanceof Edit.Keep);
            (isUnchanged ? unchanged : added).add(i);
        }
        unchanged.sort(Comparator.comparingLong(i -> before.offset(i)));
        unchanged.addAll(added);
        return unchanged::get;
    }

    /** Moves an unchanged inner chunk. If old entries overlap, a byte range that several share is moved once. */
    private void move(long number, Extent old, boolean overlaps) {
        if (overlaps) {
            shard.moveOnce(number, old);
        } else {
            shard.move(number, old);
        }
    }
}
