package dev.shardkit.maintenance.staging;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.maintenance.staging.AssembledContent.Part;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.store.Content;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decodes units from the source and encodes them for the target, one slab of units at a time. Elements and encoded
 * bytes have a memory budget each, which a single unit may exceed. Encoded bytes beyond the budget are spilled to the
 * store. Used by one thread.
 */
public final class UnitRecoder {
    /** Which units move as encoded bytes. */
    public enum MovableUnits {
        /** All units. */
        ALL,
        /** Those that are whole chunks of a grid with chunks of several shapes. */
        SOME,
        /** No unit: all are decoded. */
        NONE
    }

    private static final long MAX_BYTES = 64L << 20;
    private static final int VARIABLE_ELEMENT_BYTES = 128;

    private final ZarrArray source;
    private final ZarrArray target;
    private final StagingArea staging;
    private final EncodedUnits units;
    private final long budget = Math.min(MAX_BYTES, Runtime.getRuntime().maxMemory() / 8);
    /** The units of the current block, if all of them are decoded and fit in memory: then they are read at once. */
    private @Nullable Box wholeBlock;

    private @Nullable Slab slab;
    private int spillCount;

    /** Elements of some units. */
    private record Slab(Box cells, DenseChunk elements) {}

    UnitRecoder(ZarrArray source, ZarrArray target, StagingArea staging, EncodedUnits units) {
        this.source = source;
        this.target = target;
        this.staging = staging;
        this.units = units;
    }

    /**
     * Returns the shape of the largest block of objects, at most {@code maxBlock}, whose elements fit into the budget.
     * An object has the shape {@code stored}.
     */
    long[] fittingBlock(long[] maxBlock, long[] stored) {
        long[] block = maxBlock.clone();
        while (true) {
            long[] shape = new long[stored.length];
            int largest = -1;
            for (int d = 0; d < shape.length; d++) {
                shape[d] = block[d] * stored[d];
                largest = block[d] > 1 && (largest < 0 || block[d] > block[largest]) ? d : largest;
            }
            if (largest < 0 || bytes(shape) <= budget) {
                return block;
            }
            block[largest] = (block[largest] + 1) / 2;
        }
    }

    /** Starts a block of objects that consists of these units. */
    void begin(UnitLocations locations, MovableUnits movableUnits) {
        boolean all = movableUnits == MovableUnits.NONE
                && bytes(units.coveredBox(locations.cells()).shape()) <= budget;
        wholeBlock = all ? locations.cells() : null;
        slab = null;
    }

    /** Discards the encoded units. */
    void discard() {
        if (spillCount > 0) {
            staging.deleteSpills();
            spillCount = 0;
        }
    }

    private double bytes(long[] shape) {
        double bytes = source.dataType().elementSize().orElse(VARIABLE_ELEMENT_BYTES);
        for (long length : shape) {
            bytes *= length;
        }
        return bytes;
    }

    /**
     * Encodes the units of the object at {@code cell} that cannot be moved. Returns them by their index in
     * {@code locations}, without units that hold only the fill value.
     */
    Map<Integer, Part> encode(long[] cell, Box unitCells, UnitLocations locations, boolean hasShards) {
        ChunkCodec codec = ArrayInternals.of(target).codec(cell);
        if (hasShards) {
            ShardAccess shard = codec.shardAccess().orElseThrow();
            codec = shard.inner();
            if (!target.metadata().codecs().arrayToArray().isEmpty()) {
                throw new UnsupportedException(
                        "cannot encode single inner chunks of a shard that array-to-array codecs precede");
            }
        }
        Map<Integer, Part> encoded = new HashMap<>();
        long inMemory = 0;
        long[] tile = tile(unitCells);
        Box tiles = tiles(unitCells, tile);
        for (long t = 0; t < tiles.count(); t++) {
            List<long[]> toDecode = unitsToDecode(tile(tiles.at(t), tile, unitCells), locations);
            if (toDecode.isEmpty()) {
                continue;
            }
            List<Optional<Bytes>> bytes = encode(codec, toDecode);
            for (int i = 0; i < toDecode.size(); i++) {
                if (bytes.get(i).isPresent()) {
                    encoded.put(
                            locations.index(toDecode.get(i)),
                            new AssembledContent.Literal(bytes.get(i).get()));
                    inMemory += bytes.get(i).get().size();
                }
            }
            if (inMemory > budget) {
                staging.spill(spillCount++, encoded, content -> replacingSource(source, target, cell, content));
                inMemory = 0;
            }
        }
        return encoded;
    }

    private static List<long[]> unitsToDecode(Box cells, UnitLocations locations) {
        List<long[]> units = new ArrayList<>();
        for (long i = 0; i < cells.count(); i++) {
            if (locations.needsDecoding(locations.index(cells.at(i)))) {
                units.add(cells.at(i));
            }
        }
        return units;
    }

    /** Returns the shape of as many units of {@code cells} as fit into the budget, whole rows first. */
    private long[] tile(Box cells) {
        long[] tile = new long[cells.rank()];
        java.util.Arrays.fill(tile, 1);
        for (int d = tile.length - 1; d >= 0; d--) {
            double one = bytes(units.coveredBox(Box.of(cells.origin(), tile)).shape());
            tile[d] = (long) Math.max(1, Math.min(cells.shape(d), budget / Math.max(1, one)));
            if (tile[d] < cells.shape(d)) {
                break;
            }
        }
        return tile;
    }

    /** Returns the grid of tiles. */
    private static Box tiles(Box cells, long[] tile) {
        return Box.of(cells.shape()).cells(tile);
    }

    /** Returns the units of the tile {@code at} of that grid. */
    private static Box tile(long[] at, long[] tile, Box cells) {
        return Box.cell(at, tile).translate(cells.origin()).intersect(cells);
    }

    /** Returns the bounding box of all these cells. */
    private static Box boundingBox(List<long[]> cells) {
        long[] first = cells.get(0).clone();
        long[] shape = new long[first.length];
        for (long[] cell : cells) {
            for (int d = 0; d < first.length; d++) {
                first[d] = Math.min(first[d], cell[d]);
            }
        }
        for (long[] cell : cells) {
            for (int d = 0; d < first.length; d++) {
                shape[d] = Math.max(shape[d], cell[d] + 1 - first[d]);
            }
        }
        return Box.of(first, shape);
    }

    /**
     * Encodes units on the engine's threads, where {@code inspect} runs the plan. It takes a chunk, but this plan does
     * not read it.
     */
    private List<Optional<Bytes>> encode(ChunkCodec codec, List<long[]> cells) {
        Slab from = slab(boundingBox(cells));
        Feed all = from.elements.feed();
        Box where = units.coveredBox(from.cells);
        ShardWritePolicy policy = ShardWritePolicy.defaults();
        long[] anyChunk = new long[where.rank()];
        return ArrayInternals.of(source)
                .inspect(
                        List.of(anyChunk),
                        (c, unread) -> Plan.<Optional<Bytes>>all(cells.size(), i -> {
                            Feed one = all.window(units.box(cells.get((int) i)).relativeTo(where));
                            return Plan.defer(
                                    unread.location(), scratch -> Plan.done(codec.encode(one, policy, scratch)));
                        }))
                .get(0);
    }

    /** Returns the elements of at least {@code cells}, or of the whole block if they fit. */
    private Slab slab(Box cells) {
        if (slab != null && slab.cells.contains(cells)) {
            return slab;
        }
        slab = null; // release the old slab before the next one is allocated
        Box read = wholeBlock != null ? wholeBlock : cells;
        Box where = units.coveredBox(read);
        Box inside = where.intersect(source.domain());
        DenseChunk elements = DenseChunk.filled(ChunkType.of(source.dataType(), source.fillValue(), where.shape()));
        source.read(inside, elements.target().window(inside.relativeTo(where)));
        Slab made = new Slab(read, elements);
        slab = made;
        return made;
    }

    /**
     * Marks {@code content}, the chunk {@code cell} of the target, as a replacement of the source's chunks in the same
     * box.
     */
    static Content replacingSource(ZarrArray source, ZarrArray target, long[] cell, Content content) {
        return Content.inPlaceOf(
                keys -> {
                    Box box = ArrayInternals.of(target).box(cell).intersect(source.domain());
                    Box cells = ArrayInternals.of(source).touched(box);
                    for (long i = 0; i < cells.count(); i++) {
                        keys.accept(ArrayInternals.of(source).key(cells.at(i)));
                    }
                },
                content);
    }
}
