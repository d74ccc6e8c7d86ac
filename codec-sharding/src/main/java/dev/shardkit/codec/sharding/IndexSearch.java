package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.spi.shard.ShardIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Searches the bytes of a shard, block by block, for indexes whose format {@link IndexFormat#isSearchable is
 * searchable}: for the last valid one, and for old ones that appends left. An index is valid if its checksum matches
 * and its entries fit a shard that ends with it. The work is linear in the bytes. Matching checksums of invalid indexes
 * (a hostile shard) cost extra, so their number is limited.
 *
 * <p>One ambiguity remains: uncompressed elements that contain a whole shard of the same format byte for byte look like
 * an index. Immutable.
 */
final class IndexSearch {
    private static final int MAX_FALSE = 1000;

    private final IndexFormat index;
    private final Crc32cWindow window;

    IndexSearch(IndexFormat index) {
        this.index = index;
        this.window = new Crc32cWindow(Math.toIntExact(index.size()) - Crc32cWindow.CHECKSUM);
    }

    private long block() {
        return Math.max(ZeroBytes.BLOCK, 2 * index.size());
    }

    /** Finds the end of the last valid index of {@code shard}. */
    Plan<OptionalLong> lastEnd(Source shard) {
        return shard.<Step>read(
                        new ByteRange.Suffix(block()),
                        (answer, scratch) -> answer instanceof ReadResult.Found found
                                ? step(found, found.sourceSize() - found.bytes().size(), MAX_FALSE, scratch)
                                : new Step(List.of(), 0, 0))
                .then(step -> goOn(shard, step));
    }

    private Plan<OptionalLong> goOn(Source shard, Step step) {
        if (!step.found.isEmpty()) {
            return Plan.done(
                    OptionalLong.of(step.found.get(step.found.size() - 1).shardSize()));
        }
        if (step.from == 0 || step.patience == 0) {
            return Plan.done(OptionalLong.empty());
        }
        // the preceding block overlaps this one, so that an index across the border is found
        long end = step.from + index.size() - 1;
        long from = Math.max(0, end - block());
        return shard.<Step>read(
                        new ByteRange.Slice(from, end - from),
                        (answer, scratch) -> answer instanceof ReadResult.Found found
                                ? step(found, from, step.patience, scratch)
                                : new Step(List.of(), 0, 0))
                .then(next -> goOn(shard, next));
    }

    /** Finds the indexes that lie entirely in {@code gaps}. */
    Plan<List<ShardIndex>> in(Source shard, List<Extent> gaps) {
        List<Extent> blocks = new ArrayList<>();
        for (Extent gap : gaps) {
            long step = block() - index.size() + 1;
            for (long skip = 0; gap.size() - skip >= index.size(); skip += step) {
                blocks.add(new Extent(gap.offset() + skip, Math.min(block(), gap.size() - skip)));
            }
        }
        return Plan.<List<ShardIndex>>all(blocks.size(), i -> {
                    Extent e = blocks.get((int) i);
                    return shard.read(
                            new ByteRange.Slice(e.offset(), e.size()),
                            (answer, scratch) -> answer instanceof ReadResult.Found found
                                    ? step(found, e.offset(), MAX_FALSE, scratch).found
                                    : List.of());
                })
                .map(lists -> lists.stream().flatMap(List::stream).toList());
    }

    /** The result of searching one block: the valid indexes in it, ascending. */
    private record Step(List<ShardIndex> found, long from, int patience) {}

    private Step step(ReadResult.Found answer, long from, int patience, Scratch scratch) {
        List<ShardIndex> found = new ArrayList<>();
        int left = patience;
        for (int end : window.matches(answer.bytes().toArray())) {
            long size = index.size();
            Optional<ShardIndex> entries =
                    left == 0 ? Optional.empty() : valid(answer.bytes().slice(end - size, size), from + end, scratch);
            entries.ifPresent(found::add);
            left -= entries.isPresent() || left == 0 ? 0 : 1;
        }
        return new Step(found, from, left);
    }

    private Optional<ShardIndex> valid(Bytes bytes, long end, Scratch scratch) {
        try {
            ShardIndex entries = index.decode(bytes, end, scratch);
            for (long i = 0; i < entries.count(); i++) {
                if (entries.fault(i).isPresent()) {
                    return Optional.empty();
                }
            }
            return Optional.of(entries);
        } catch (CorruptDataException e) {
            return Optional.empty();
        }
    }
}
