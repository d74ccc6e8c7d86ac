package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.shard.PieceMerger;
import dev.shardkit.spi.shard.ShardIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Changes a shard by appending new inner chunks and then writing the index: after them, or over the old one if it is at
 * the start. The replaced inner chunks become unused bytes; removed inner chunks only disappear from the index. The
 * strategy declines if too much of the shard would be unused, or if a foreign footer would end up in the middle. A
 * parameter {@code edit} is the index of an edit in {@code inner}. Immutable.
 *
 * @param reason why this is not the strategy that the policy asked for
 */
record AppendStrategy(
        InnerEdits inner, ShardIndex before, @Nullable String reason) {

    /** Tries to append. */
    Plan<StrategyResult> plan(Scratch scratch) {
        before.checkAll(inner.cells().counts(), inner.shard().location());
        long[] entries = before.entries();
        PieceMerger appended = new PieceMerger();
        for (int edit = 0; edit < inner.count(); edit++) {
            if (!inner.isSame(edit)) {
                append(edit, entries, appended);
            }
        }
        ReferencedRanges rangesAfter = ReferencedRanges.of(entries);
        Optional<String> excess = excessUnused(rangesAfter, appended.size());
        if (excess.isPresent()) {
            return Plan.done(new StrategyResult.Declined(excess.get()));
        }
        Edit.Patch patch = patch(entries, appended, rangesAfter, scratch);
        return ForeignBytes.hasFooter(inner.shard(), inner.index(), before, inner.policy())
                .map(footer -> footer
                        ? new StrategyResult.Declined("no index entry refers to the bytes after the last inner chunk")
                        : new StrategyResult.Applied(patch));
    }

    private void append(int edit, long[] entries, PieceMerger appended) {
        Optional<List<Piece>> content = inner.content(edit);
        int word = (int) (2 * inner.number(edit)); // an entry has two words: offset and size
        entries[word] = content.isEmpty() ? ShardIndex.NONE : Math.addExact(before.shardSize(), appended.size());
        long start = appended.size();
        content.ifPresent(pieces -> pieces.forEach(appended::add));
        entries[word + 1] = content.isEmpty() ? ShardIndex.NONE : appended.size() - start;
    }

    /** Returns the reason to decline if the share of unused bytes would exceed the policy's limit. */
    private Optional<String> excessUnused(ReferencedRanges rangesAfter, long appended) {
        long indexSize = inner.index().size();
        long size = Math.addExact(
                Math.addExact(before.shardSize(), appended), inner.index().isFirst() ? 0 : indexSize);
        long unused = size - indexSize - rangesAfter.byteCount();
        int maxPercent = inner.policy().maxUnusedPercent();
        return unused <= size / 100.0 * maxPercent
                ? Optional.empty()
                : Optional.of(unused + " of the shard's " + size + " bytes would be unused, expected at most "
                        + maxPercent + "%");
    }

    /** Returns the edit that appends the new inner chunks and writes the index. */
    private Edit.Patch patch(long[] entries, PieceMerger appended, ReferencedRanges rangesAfter, Scratch scratch) {
        IndexFormat index = inner.index();
        Piece.Literal newIndex = new Piece.Literal(index.encode(entries, scratch));
        List<Edit.Write> overwritten = new ArrayList<>();
        if (!index.isSearchable()) {
            // No later search finds the old index, so marks show that the replaced inner chunks are not foreign bytes.
            ReferencedRanges rangesBefore = ReferencedRanges.of(before.entries());
            long begin = index.isFirst() ? before.shardSize() : before.index().offset();
            long end = index.isFirst() ? rangesBefore.end(begin) : before.shardSize();
            long writtenEnd = 0; // the appended bytes come after the marks
            overwritten.addAll(UnusedBytesMark.of(rangesBefore, rangesAfter, begin, end, writtenEnd));
        }
        if (index.isFirst()) {
            overwritten.add(new Edit.Write(0, newIndex.bytes()));
        } else {
            appended.add(newIndex);
        }
        return new Edit.Patch(
                before.shardSize(),
                appended.list(),
                overwritten,
                index.isSearchable() ? Edit.Recovery.LAST_INDEX : Edit.Recovery.JOURNAL,
                ShardWritePolicy.Strategy.APPEND,
                Optional.ofNullable(reason));
    }
}
