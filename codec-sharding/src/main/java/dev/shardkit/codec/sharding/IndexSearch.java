package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.ShardAccess.Extent;
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
 * searchable}: for the last valid index, and for old indexes that appends left behind. An index is valid if its
 * checksum matches and its entries fit a shard that ends with it. The work is linear in the bytes. Matching checksums
 * of invalid indexes (a hostile shard) cost extra, so their number is limited.
 *
 * <p>One ambiguity remains: uncompressed elements that contain a whole shard of the same format byte for byte look like
 * an index. Immutable.
 */
final class IndexSearch {
    /** The number of invalid indexes with a matching checksum after which a search gives up. */
    private static final int MAX_INVALID = 1000;

    private final IndexFormat index;
    private final Crc32cWindow window;

    IndexSearch(IndexFormat index) {
        this.index = index;
        this.window = new Crc32cWindow(Math.toIntExact(index.size()) - Crc32cWindow.CHECKSUM);
    }

    private long blockSize() {
        return Math.max(ZeroBytes.BLOCK, 2 * index.size());
    }

    /** Finds the end of the last valid index of {@code shard}. */
    Plan<OptionalLong> lastEnd(Source shard) {
        return shard.<BlockResult>read(
                        new ByteRange.Suffix(blockSize()),
                        (result, scratch) -> result instanceof ReadResult.Found found
                                ? searchBlock(
                                        found,
                                        found.sourceSize() - found.bytes().size(),
                                        MAX_INVALID,
                                        scratch)
                                : new BlockResult(List.of(), 0, 0))
                .then(block -> searchBefore(shard, block));
    }

    /** Continues the search in the block before {@code block}, unless an index was found. */
    private Plan<OptionalLong> searchBefore(Source shard, BlockResult block) {
        if (!block.found.isEmpty()) {
            return Plan.done(
                    OptionalLong.of(block.found.get(block.found.size() - 1).shardSize()));
        }
        if (block.begin == 0 || block.tolerance == 0) {
            return Plan.done(OptionalLong.empty());
        }
        // The preceding block overlaps this one, so that an index across their border is found.
        long end = block.begin + index.size() - 1;
        long begin = Math.max(0, end - blockSize());
        return shard.<BlockResult>read(
                        new ByteRange.Slice(begin, end - begin),
                        (result, scratch) -> result instanceof ReadResult.Found found
                                ? searchBlock(found, begin, block.tolerance, scratch)
                                : new BlockResult(List.of(), 0, 0))
                .then(next -> searchBefore(shard, next));
    }

    /** Finds the indexes that lie entirely in {@code gaps}. */
    Plan<List<ShardIndex>> findIn(Source shard, List<Extent> gaps) {
        List<Extent> blocks = new ArrayList<>();
        for (Extent gap : gaps) {
            long stride = blockSize() - index.size() + 1;
            for (long skip = 0; gap.size() - skip >= index.size(); skip += stride) {
                blocks.add(new Extent(gap.offset() + skip, Math.min(blockSize(), gap.size() - skip)));
            }
        }
        return Plan.<List<ShardIndex>>all(blocks.size(), i -> {
                    Extent e = blocks.get((int) i);
                    return shard.read(
                            new ByteRange.Slice(e.offset(), e.size()),
                            (result, scratch) -> result instanceof ReadResult.Found found
                                    ? searchBlock(found, e.offset(), MAX_INVALID, scratch).found
                                    : List.of());
                })
                .map(lists -> lists.stream().flatMap(List::stream).toList());
    }

    /**
     * The result of searching one block.
     *
     * @param found the valid indexes in the block, ascending
     * @param begin the first byte of the block in the shard
     * @param tolerance how many more invalid indexes with a matching checksum the search may meet; at 0 it gives up
     */
    private record BlockResult(List<ShardIndex> found, long begin, int tolerance) {}

    /** Searches a block that begins at byte {@code begin} of the shard. */
    private BlockResult searchBlock(ReadResult.Found result, long begin, int tolerance, Scratch scratch) {
        List<ShardIndex> found = new ArrayList<>();
        int remainingTolerance = tolerance;
        for (int end : window.matches(result.bytes().toArray())) {
            long size = index.size();
            Optional<ShardIndex> entries = remainingTolerance == 0
                    ? Optional.empty()
                    : decodeValid(result.bytes().slice(end - size, size), begin + end, scratch);
            entries.ifPresent(found::add);
            // Each invalid index uses up tolerance.
            remainingTolerance -= entries.isPresent() || remainingTolerance == 0 ? 0 : 1;
        }
        return new BlockResult(found, begin, remainingTolerance);
    }

    /** Decodes the index that ends at byte {@code end} of the shard; empty if it is invalid. */
    private Optional<ShardIndex> decodeValid(Bytes bytes, long end, Scratch scratch) {
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
