package dev.shardkit.maintenance.staging;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.region.StoredArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.codec.ShardAccess.Layout;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The units of an array: the chunks or inner chunks that a change of layout moves, which have one shape and encoding.
 * Finds them as byte ranges of stored objects. Units form a grid of equal boxes from the array's origin. Reads only
 * indexes and sizes. Immutable.
 */
final class EncodedUnits {
    private static final int MAX_BATCH = 64;
    private static final long MAX_INDEX_ENTRIES = 1 << 16;

    private final StoredArray chunks;
    private final Box domain;
    private final long[] unitShape;
    private final List<NestingLevel> levels;
    /** The nesting level whose chunks are units; -1 if there is none, so that all elements must be decoded. */
    private final int unitLevel;

    /**
     * Finds the units of {@code array}.
     *
     * @param unitShape their shape
     * @param codecs the codecs that encode them
     */
    EncodedUnits(ZarrArray array, long[] unitShape, List<Json> codecs) {
        this.chunks = ArrayInternals.of(array);
        this.domain = array.domain();
        this.unitShape = unitShape.clone();
        this.levels = NestingLevel.of(array.metadata());
        int found = -1;
        for (int i = 0; i < levels.size(); i++) {
            // Stored chunks (level 0) may differ in shape, so inspect compares the shape of each.
            boolean hasShape = i == 0 || Arrays.equals(levels.get(i).shape().orElseThrow(), unitShape);
            found = hasShape && levels.get(i).codecs().equals(codecs) ? i : found;
        }
        this.unitLevel = found;
    }

    /** Whether units are inner chunks. Then no unit needs decoding. */
    boolean areInnerChunks() {
        return unitLevel > 0;
    }

    /** Whether units are stored chunks. Then only chunks with the shape of a unit need no decoding. */
    boolean areStoredChunks() {
        return unitLevel == 0;
    }

    /** Returns the grid of units. */
    Box grid() {
        return touched(domain);
    }

    /** Returns the units that overlap {@code region}, clipped to the array. */
    Box touched(Box region) {
        return region.intersect(domain).cells(unitShape);
    }

    /** Returns the box of a unit in the array; it may extend past the edge. */
    Box box(long[] cell) {
        return Box.cell(cell, unitShape);
    }

    /** Returns the box that {@code cells} cover; it may extend past the edge. */
    Box coveredBox(Box cells) {
        long[] shape = new long[unitShape.length];
        for (int d = 0; d < shape.length; d++) {
            shape[d] = Math.multiplyExact(cells.shape(d), unitShape[d]);
        }
        return Box.of(box(cells.origin()).origin(), shape);
    }

    /** Finds the units at {@code cells}. */
    UnitLocations find(Box cells) {
        UnitLocations found = new UnitLocations(cells);
        if (cells.isEmpty()) {
            return found;
        }
        Box region = coveredBox(cells).intersect(domain);
        Box touched = chunks.touched(region);
        long count = touched.count();
        for (long at = 0; at < count; ) {
            List<long[]> batch = new ArrayList<>();
            for (int n = batchSize(touched.at(at)); n > 0 && at < count; n--) {
                batch.add(touched.at(at++));
            }
            List<Optional<StoredUnits>> stored = chunks.inspect(batch, (cell, source) -> inspect(cell, source, region));
            for (int i = 0; i < batch.size(); i++) {
                if (stored.get(i).isPresent()) {
                    addUnits(batch.get(i), stored.get(i).get(), found);
                }
            }
        }
        return found;
    }

    /** Returns the number of chunks to inspect at once, so that their indexes have a limited number of entries. */
    private int batchSize(long[] cell) {
        long entries = chunks.codec(cell)
                .shardAccess()
                .map(p -> Shapes.count(p.gridShape()))
                .orElse(1L);
        return (int) Math.max(1, Math.min(MAX_BATCH, MAX_INDEX_ENTRIES / Math.max(1, entries)));
    }

    /**
     * The units in a stored chunk.
     *
     * @param size its size
     * @param units its stored units; null if they must be decoded
     */
    private record StoredUnits(long size, @Nullable List<UnitRange> units) {}

    /** A unit, by its cell in the grid of units, and its bytes in the stored object. */
    private record UnitRange(long[] cell, long offset, long size) {}

    /** Adds the units of the stored chunk {@code cell}. */
    private void addUnits(long[] cell, StoredUnits stored, UnitLocations found) {
        if (stored.units == null) {
            found.markForDecoding(touched(chunks.box(cell)));
            return;
        }
        int object = found.addObject(chunks.key(cell));
        long total = 0;
        for (UnitRange p : stored.units) {
            total = total > Long.MAX_VALUE - p.size ? Long.MAX_VALUE : total + p.size;
            found.put(p.cell, object, p.offset, p.size);
        }
        if (total > stored.size) {
            throw new CorruptDataException("overlapping inner chunks have " + total + " bytes in the " + stored.size
                    + " of " + chunks.key(cell) + "; they cannot be moved without decoding");
        }
    }

    /** Finds the units in a stored chunk; empty if it is not stored. */
    private Plan<Optional<StoredUnits>> inspect(long[] cell, Source source, Box region) {
        Box chunk = chunks.box(cell);
        if (unitLevel > 0) {
            ShardAccess shard = chunks.codec(cell).shardAccess().orElseThrow();
            return shard.layout(source)
                    .then(index -> index.isEmpty()
                            ? Plan.done(Optional.empty())
                            : findInShard(shard, source, index.get(), chunk, region, 1, 0)
                                    .map(units -> Optional.of(
                                            new StoredUnits(index.get().shardSize(), units))));
        }
        boolean fits = unitLevel == 0
                && Arrays.equals(chunk.shape(), unitShape)
                && box(firstUnit(chunk)).equals(chunk);
        // A read of the last byte shows whether the object exists, and its size.
        return source.read(new ByteRange.Suffix(1), (answer, scratch) -> {
            if (!(answer instanceof ReadResult.Found f)) {
                return Optional.empty();
            }
            long size = f.sourceSize();
            return Optional.of(new StoredUnits(size, fits ? List.of(new UnitRange(firstUnit(chunk), 0, size)) : null));
        });
    }

    /** Returns the cell of the unit in which {@code chunk} begins. */
    private long[] firstUnit(Box chunk) {
        long[] cell = new long[unitShape.length];
        for (int d = 0; d < cell.length; d++) {
            cell[d] = chunk.origin(d) / unitShape[d];
        }
        return cell;
    }

    /**
     * Finds the units of {@code region} in a shard of level {@code depth - 1}. The shard covers {@code box} of the
     * array and begins at {@code shardOffset} of the stored object.
     */
    private Plan<List<UnitRange>> findInShard(
            ShardAccess shard, Source source, Layout index, Box box, Box region, int depth, long shardOffset) {
        NestingLevel inner = levels.get(depth);
        long[] shape = inner.shape().orElseThrow();
        Box cells = box.intersect(region).relativeTo(box).cells(shape);
        List<UnitRange> units = new ArrayList<>();
        List<Plan<List<UnitRange>>> innerShards = new ArrayList<>();
        long[] counts = shard.gridShape();
        for (long i = 0; i < cells.count(); i++) {
            long[] cell = cells.at(i);
            long[] stored = Shapes.permute(cell, inner.order());
            Optional<Extent> extent = index.extent(Shapes.ravel(stored, counts));
            if (extent.isPresent()) {
                Box part = Box.cell(cell, shape).translate(box.origin());
                long offset = shardOffset + extent.get().offset();
                if (depth == unitLevel) {
                    units.add(
                            new UnitRange(firstUnit(part), offset, extent.get().size()));
                } else {
                    innerShards.add(findInInnerShard(
                            shard.inner(),
                            source.inner(
                                    stored, extent.get().offset(), extent.get().size()),
                            part,
                            region,
                            depth + 1,
                            offset));
                }
            }
        }
        return innerShards.isEmpty()
                ? Plan.done(units)
                : Plan.<List<UnitRange>>all(innerShards.size(), i -> innerShards.get((int) i))
                        .map(lists -> lists.stream().flatMap(List::stream).toList());
    }

    private Plan<List<UnitRange>> findInInnerShard(
            ChunkCodec codec, Source source, Box box, Box region, int depth, long shardOffset) {
        ShardAccess shard = codec.shardAccess()
                .orElseThrow(() -> new UnsupportedException(
                        "an inner shard of a codec whose inner chunks cannot be read one by one"));
        return shard.layout(source)
                .then(index -> index.isEmpty()
                        ? Plan.done(List.of())
                        : findInShard(shard, source, index.get(), box, region, depth, shardOffset));
    }
}
