package dev.shardkit.maintenance.staging;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.base.ArrayInternals;
import dev.shardkit.maintenance.base.NestingLevel;
import dev.shardkit.region.StoredArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Partitioned;
import dev.shardkit.spi.codec.Partitioned.Extent;
import dev.shardkit.spi.codec.Partitioned.Layout;
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
 * The units of an array: chunks or inner chunks of one shape and encoding, as byte ranges of stored objects. Units form
 * a grid of equal boxes from the array's origin. Reads indexes and sizes only. Immutable.
 */
final class EncodedUnits {
    private static final int AT_ONCE = 64;
    private static final long INDEX_ENTRIES_AT_ONCE = 1 << 16;

    private final StoredArray chunks;
    private final Box domain;
    private final long[] unit;
    private final List<NestingLevel> levels;
    /** The level whose chunks are units; -1 if there is none. */
    private final int level;

    /**
     * The units of {@code array}.
     *
     * @param unit their shape
     * @param codecs the codecs that encode them
     */
    EncodedUnits(ZarrArray array, long[] unit, List<Json> codecs) {
        this.chunks = ArrayInternals.of(array);
        this.domain = array.domain();
        this.unit = unit.clone();
        this.levels = NestingLevel.of(array.metadata());
        int found = -1;
        for (int i = 0; i < levels.size(); i++) {
            boolean shape = i == 0 || Arrays.equals(levels.get(i).shape().orElseThrow(), unit);
            found = shape && levels.get(i).codecs().equals(codecs) ? i : found;
        }
        this.level = found;
    }

    /** Whether no unit needs decoding, wherever it is stored. */
    boolean areAll() {
        return level > 0;
    }

    /** Whether stored chunks can be units. */
    boolean areChunks() {
        return level == 0;
    }

    /** Returns the grid of units. */
    Box grid() {
        return touched(domain);
    }

    /** Returns the units that overlap {@code region}, clipped to the array. */
    Box touched(Box region) {
        return region.intersect(domain).cells(unit);
    }

    /** Returns the box of a unit in the array; it may extend past the edge. */
    Box box(long[] cell) {
        return Box.cell(cell, unit);
    }

    /** Returns the box that {@code cells} cover; it may extend past the edge. */
    Box boxes(Box cells) {
        long[] shape = new long[unit.length];
        for (int d = 0; d < shape.length; d++) {
            shape[d] = Math.multiplyExact(cells.shape(d), unit[d]);
        }
        return Box.of(box(cells.origin()).origin(), shape);
    }

    /** Finds the units at {@code cells}. */
    UnitLocations find(Box cells) {
        UnitLocations found = new UnitLocations(cells);
        if (cells.isEmpty()) {
            return found;
        }
        Box region = boxes(cells).intersect(domain);
        Box touched = chunks.touched(region);
        long count = touched.count();
        for (long at = 0; at < count; ) {
            List<long[]> batch = new ArrayList<>();
            for (int n = atOnce(touched.at(at)); n > 0 && at < count; n--) {
                batch.add(touched.at(at++));
            }
            List<Optional<Stored>> stored = chunks.inspect(batch, (cell, source) -> look(cell, source, region));
            for (int i = 0; i < batch.size(); i++) {
                if (stored.get(i).isPresent()) {
                    take(batch.get(i), stored.get(i).get(), found);
                }
            }
        }
        return found;
    }

    private int atOnce(long[] cell) {
        long entries = chunks.codec(cell)
                .partitioned()
                .map(p -> Shapes.count(p.cells()))
                .orElse(1L);
        return (int) Math.max(1, Math.min(AT_ONCE, INDEX_ENTRIES_AT_ONCE / Math.max(1, entries)));
    }

    /**
     * The stored form of a chunk.
     *
     * @param size its size
     * @param units its stored units; null if they have to be decoded
     */
    private record Stored(long size, @Nullable List<Piece> units) {}

    private record Piece(long[] cell, long offset, long size) {}

    private void take(long[] cell, Stored stored, UnitLocations found) {
        if (stored.units == null) {
            found.decode(touched(chunks.box(cell)));
            return;
        }
        int object = found.object(chunks.key(cell));
        long all = 0;
        for (Piece p : stored.units) {
            all = all > Long.MAX_VALUE - p.size ? Long.MAX_VALUE : all + p.size;
            found.put(p.cell, object, p.offset, p.size);
        }
        if (all > stored.size) {
            throw new CorruptDataException("overlapping inner chunks have " + all + " bytes in the " + stored.size
                    + " of " + chunks.key(cell) + "; they cannot be moved without decoding");
        }
    }

    /** Finds the stored form of a chunk; empty if it is not stored. */
    private Plan<Optional<Stored>> look(long[] cell, Source source, Box region) {
        Box chunk = chunks.box(cell);
        if (level > 0) {
            Partitioned shard = chunks.codec(cell).partitioned().orElseThrow();
            return shard.layout(source)
                    .then(index -> index.isEmpty()
                            ? Plan.done(Optional.empty())
                            : inside(shard, source, index.get(), chunk, region, 1, 0)
                                    .map(units ->
                                            Optional.of(new Stored(index.get().shardSize(), units))));
        }
        boolean fits = level == 0
                && Arrays.equals(chunk.shape(), unit)
                && box(first(chunk)).equals(chunk);
        return source.read(new ByteRange.Suffix(1), (answer, scratch) -> {
            if (!(answer instanceof ReadResult.Found f)) {
                return Optional.empty();
            }
            long size = f.sourceSize();
            return Optional.of(new Stored(size, fits ? List.of(new Piece(first(chunk), 0, size)) : null));
        });
    }

    private long[] first(Box chunk) {
        long[] cell = new long[unit.length];
        for (int d = 0; d < cell.length; d++) {
            cell[d] = chunk.origin(d) / unit[d];
        }
        return cell;
    }

    /** Finds the units in a shard of level {@code at - 1} that covers {@code box} and begins at {@code base}. */
    private Plan<List<Piece>> inside(
            Partitioned shard, Source source, Layout index, Box box, Box region, int at, long base) {
        NestingLevel inner = levels.get(at);
        long[] shape = inner.shape().orElseThrow();
        Box cells = box.intersect(region).relativeTo(box).cells(shape);
        List<Piece> units = new ArrayList<>();
        List<Plan<List<Piece>>> deeper = new ArrayList<>();
        long[] counts = shard.cells();
        for (long i = 0; i < cells.count(); i++) {
            long[] cell = cells.at(i);
            long[] stored = Shapes.permute(cell, inner.order());
            Optional<Extent> extent = index.extent(Shapes.ravel(stored, counts));
            if (extent.isPresent()) {
                Box part = Box.cell(cell, shape).translate(box.origin());
                long offset = base + extent.get().offset();
                if (at == level) {
                    units.add(new Piece(first(part), offset, extent.get().size()));
                } else {
                    deeper.add(deeper(
                            shard.inner(),
                            source.inner(
                                    stored, extent.get().offset(), extent.get().size()),
                            part,
                            region,
                            at + 1,
                            offset));
                }
            }
        }
        return deeper.isEmpty()
                ? Plan.done(units)
                : Plan.<List<Piece>>all(deeper.size(), i -> deeper.get((int) i))
                        .map(lists -> lists.stream().flatMap(List::stream).toList());
    }

    private Plan<List<Piece>> deeper(ChunkCodec codec, Source source, Box box, Box region, int at, long base) {
        Partitioned shard = codec.partitioned()
                .orElseThrow(() -> new UnsupportedException(
                        "an inner shard of a codec whose inner chunks cannot be read one by one"));
        return shard.layout(source)
                .then(index -> index.isEmpty()
                        ? Plan.done(List.of())
                        : inside(shard, source, index.get(), box, region, at, base));
    }
}
