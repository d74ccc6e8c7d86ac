package dev.shardkit.codec.sharding;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.Coverage;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.EncodedFeed;
import dev.shardkit.spi.codec.FileAdoption;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.codec.ShardAssembly;
import dev.shardkit.spi.codec.ShardRewriting;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.PlanRun;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.spi.shard.ShardBuilder;
import dev.shardkit.spi.shard.ShardIndex;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntUnaryOperator;

/**
 * A {@link ShardingCodec} bound to one chunk type: reads, changes and checks shards of one shape and data type. Each
 * kind of work has a class of its own, which this class calls. Immutable.
 */
final class BoundSharding implements ChunkCodec, ShardAccess, ShardRewriting, ShardAssembly {
    private final ChunkType type;
    private final InnerChunkGrid cells;
    private final ChunkCodec inner;
    private final IndexFormat index;

    BoundSharding(ChunkType type, InnerChunkGrid cells, ChunkCodec inner, IndexFormat index) {
        this.type = type;
        this.cells = cells;
        this.inner = inner;
        this.index = index;
    }

    @Override
    public ChunkType type() {
        return type;
    }

    /**
     * Returns twice the largest size of all inner chunks and the index, plus 64 KiB, to allow for gaps and foreign
     * bytes. {@link Long#MAX_VALUE} stands for no bound.
     */
    @Override
    public long maxEncodedSize() {
        long innerMax = inner.maxEncodedSize();
        long available = (Long.MAX_VALUE >> 2) - index.size(); // a quarter, so that the sum below does not overflow
        return innerMax > available / index.count()
                ? Long.MAX_VALUE
                : 2 * (innerMax * index.count() + index.size()) + (64 << 10);
    }

    @Override
    public Optional<Bytes> encode(Feed chunk, ShardWritePolicy policy, Scratch scratch) {
        ShardBuilder shard = index.builder(ReservedSlots.slack(policy, inner));
        // With reserved room, absent inner chunks are stored too, as the fill value: the policy reserves their slots.
        List<Piece> fill = ReservedSlots.isWhole(policy, inner) ? ReservedSlots.fill(inner, scratch) : List.of();
        IntUnaryOperator order = WriteOrder.of(policy.order(), cells.counts());
        boolean isEmpty = true;
        for (int position = 0; position < index.count(); position++) {
            int number = order.applyAsInt(position);
            int mark = scratch.mark();
            Feed innerChunk = chunk.window(cells.box(cells.cell(number)));
            Optional<Bytes> bytes = EncodedFeed.encode(inner, innerChunk, policy, scratch);
            scratch.reset(mark);
            isEmpty &= bytes.isEmpty();
            if (bytes.isPresent() || !fill.isEmpty()) {
                shard.put(number, bytes.isPresent() ? List.of(new Piece.Literal(bytes.get())) : fill);
            }
        }
        if (isEmpty && policy.emptyChunks() == ShardWritePolicy.EmptyChunks.DROP) {
            return Optional.empty();
        }
        return Optional.of(Bytes.concat(index.finish(shard, scratch).stream()
                .map(p -> p instanceof Piece.Literal l ? l.bytes() : Bytes.zeros(p.size()))
                .toList()));
    }

    /** Returns the size of a shard with a slot for every inner chunk; empty if it is unknown or too large. */
    OptionalLong wholeSize() {
        OptionalLong slotSize = ReservedSlots.size(inner);
        return slotSize.isPresent() && slotSize.getAsLong() <= ((Long.MAX_VALUE >> 2) - index.size()) / index.count()
                ? OptionalLong.of(slotSize.getAsLong() * index.count() + index.size())
                : OptionalLong.empty();
    }

    /** Encodes a shard with room for every inner chunk, in which each holds the fill value. */
    List<Piece> wholeFill(Scratch scratch) {
        ShardBuilder shard = index.builder(ReservedSlots.slot(inner));
        List<Piece> fill = ReservedSlots.fill(inner, scratch);
        for (long i = 0; i < index.count(); i++) {
            shard.put(i, fill);
        }
        return index.finish(shard, scratch);
    }

    @Override
    public void decode(Bytes encoded, Box part, Target target, Scratch scratch) {
        PlanRun.inMemory(decodeInto(Source.of(encoded, DataLocation.nowhere()), part, target), scratch);
    }

    @Override
    public Plan<NoResult> decodeInto(Source source, Box part, Target target) {
        if (part.isEmpty()) {
            return Plan.done();
        }
        return index.read(source).then(found -> {
            if (found.isEmpty()) {
                target.fill(type.fill(), Box.of(part.shape()));
                return Plan.done();
            }
            ShardIndex entries = found.get();
            int[] stored = fillMissing(entries, source.location(), part, target);
            return Plan.each(stored.length, i -> decodeInner(source, entries, stored[(int) i], part, target));
        });
    }

    private Plan<NoResult> decodeInner(Source source, ShardIndex entries, int number, Box part, Target target) {
        long[] cell = cells.cell(number);
        InnerChunkGrid.Cut cut = cells.cut(part, cell);
        return inner.decodeInto(
                source.inner(cell, entries.offset(number), entries.size(number)),
                cut.inChunk(),
                target.window(cut.inPart()));
    }

    /**
     * Checks the entries of the inner chunks that intersect {@code part}. Writes the fill value for missing ones, a run
     * along the last dimension at a time.
     *
     * @return the numbers of the stored inner chunks
     */
    private int[] fillMissing(ShardIndex entries, DataLocation location, Box part, Target target) {
        Box touched = cells.touched(part);
        long[] counts = cells.counts();
        int[] stored = new int[Math.toIntExact(touched.count())];
        int count = 0;
        long rowLength = touched.rank() == 0 ? 1 : touched.shape(touched.rank() - 1);
        for (long rowStart = 0; rowStart < stored.length; rowStart += rowLength) {
            long first = cells.number(touched.at(rowStart));
            long missing = 0; // inner chunks in a run just before the current one
            for (long number = first; number < first + rowLength; number++) {
                entries.check(number, counts, location);
                if (entries.isMissing(number)) {
                    missing++;
                    continue;
                }
                fill(number - missing, missing, part, target);
                missing = 0;
                stored[count++] = (int) number;
            }
            fill(first + rowLength - missing, missing, part, target);
        }
        return Arrays.copyOf(stored, count);
    }

    /** Fills a run of inner chunks; they lie side by side along the last dimension. */
    private void fill(long first, long count, Box part, Target target) {
        if (count > 0) {
            target.fill(type.fill(), cells.run(part, cells.cell(first), count));
        }
    }

    @Override
    public Plan<Edit> update(Source old, Box part, Feed values, ShardWritePolicy policy) {
        if (part.isEmpty()) {
            return Plan.done(new Edit.Keep());
        }
        ShardUpdate update = new ShardUpdate(cells, inner, index, old, part, values, policy);
        Coverage coverage = values.coverage(Box.of(part.shape()));
        // A write that does not cover the shard keeps old elements: outside the part, or in holes of the values.
        boolean coversShard = part.equals(type.box()) && (coverage == Coverage.ALL || coverage == Coverage.FILL);
        if (coversShard && coverage == Coverage.FILL && policy.emptyChunks() == ShardWritePolicy.EmptyChunks.DROP) {
            return Plan.done(new Edit.Delete());
        }
        if (coversShard && policy.foreignBytes() == ShardWritePolicy.ForeignBytes.KEEP && !old.isAbsent()) {
            return index.read(old).then(update::keepingMargins);
        }
        return coversShard || old.isAbsent()
                ? update.plan(Optional.empty())
                : index.read(old).then(update::plan);
    }

    @Override
    public long[] readShape() {
        return inner.readShape();
    }

    @Override
    public Optional<ShardAccess> shardAccess() {
        return Optional.of(this);
    }

    @Override
    public long[] innerShape() {
        return cells.innerShape();
    }

    @Override
    public long[] gridShape() {
        return cells.counts();
    }

    @Override
    public ChunkCodec inner() {
        return inner;
    }

    @Override
    public Plan<Source> locate(Source shard, long[] cell) {
        cells.check(cell);
        long number = cells.number(cell);
        return index.read(shard).map(found -> {
            found.ifPresent(entries -> entries.check(number, cells.counts(), shard.location()));
            return ShardIndex.source(found, number, shard, cells.cell(number));
        });
    }

    @Override
    public Plan<OptionalLong> lastValidEnd(Source shard) {
        return index.isSearchable() ? new IndexSearch(index).lastEnd(shard) : Plan.done(OptionalLong.empty());
    }

    @Override
    public Plan<Optional<Layout>> layout(Source shard) {
        return index.read(shard).map(found -> {
            found.ifPresent(entries -> entries.checkAll(cells.counts(), shard.location()));
            return found.map(Layout.class::cast);
        });
    }

    @Override
    public Plan<Edit> rewrite(Source shard, ShardWritePolicy policy, Kept kept) {
        return index.read(shard)
                .then(found -> found.isEmpty()
                        ? Plan.done(new Edit.Delete())
                        : new ShardCompaction(cells, inner, index, shard, policy, kept).plan(found.get()));
    }

    @Override
    public Optional<ShardAccess> withUncheckedIndex() {
        return index.unchecked().map(lenient -> new BoundSharding(type, cells, inner, lenient));
    }

    @Override
    public Plan<Optional<Margins>> margins(Source shard) {
        return new MarginEdit(cells, inner, index, shard).find();
    }

    @Override
    public Plan<Edit> withMargins(Source shard, Bytes header, Bytes footer, ShardWritePolicy policy) {
        return new MarginEdit(cells, inner, index, shard).replace(header, footer, policy);
    }

    @Override
    public Frame frame(long[] sizes, ShardWritePolicy.Order order, Scratch scratch) {
        if (sizes.length != index.count()) {
            throw new IllegalArgumentException(sizes.length + " inner chunks for a shard of " + index.count());
        }
        IntUnaryOperator numberAt = WriteOrder.of(order, cells.counts());
        long[] entries = ShardIndex.noEntries(sizes.length);
        long offset = index.firstByte();
        for (int position = 0; position < sizes.length; position++) {
            int number = numberAt.applyAsInt(position);
            if (sizes[number] >= 0) {
                entries[2 * number] = offset;
                entries[2 * number + 1] = sizes[number];
                offset = Math.addExact(offset, sizes[number]);
            }
        }
        Bytes words = index.encode(entries, scratch);
        return index.isFirst() ? new Frame(words, numberAt, Bytes.EMPTY) : new Frame(Bytes.EMPTY, numberAt, words);
    }

    @Override
    public Optional<ShardRewriting> rewriting() {
        return Optional.of(this);
    }

    @Override
    public Optional<ShardAssembly> assembly() {
        return Optional.of(this);
    }

    @Override
    public Optional<FileAdoption> adoption() {
        return Optional.of(new AdoptedShards(index));
    }

    @Override
    public Plan<Optional<Opened>> open(Source shard) {
        return index.read(shard).map(found -> found.map(entries -> new Opened(shard, entries)));
    }
}
