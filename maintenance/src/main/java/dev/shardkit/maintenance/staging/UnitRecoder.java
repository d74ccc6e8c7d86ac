package dev.shardkit.maintenance.staging;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.base.ArrayInternals;
import dev.shardkit.maintenance.staging.AssembledContent.Part;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.Partitioned;
import dev.shardkit.spi.codec.WritePolicy;
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
    public enum Moving {
        ALL,
        SOME,
        NONE
    }

    private static final long MAX_BYTES = 64L << 20;
    private static final int VARIABLE_ELEMENT_BYTES = 128;

    private final ZarrArray source;
    private final ZarrArray target;
    private final StagingArea staging;
    private final EncodedUnits units;
    private final long budget = Math.min(MAX_BYTES, Runtime.getRuntime().maxMemory() / 8);
    private @Nullable Box together;
    private @Nullable Slab slab;
    private int parts;

    /** Elements of some units. */
    private record Slab(Box cells, DenseChunk elements) {}

    UnitRecoder(ZarrArray source, ZarrArray target, StagingArea staging, EncodedUnits units) {
        this.source = source;
        this.target = target;
        this.staging = staging;
        this.units = units;
    }

    /**
     * Returns the shape of a block of objects of shape {@code stored}, at most {@code wished}, whose elements fit into
     * the budget.
     */
    long[] block(long[] wished, long[] stored) {
        long[] block = wished.clone();
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

    /** Starts a block with these units. */
    void begin(UnitLocations places, Moving moving) {
        boolean all = moving == Moving.NONE && bytes(units.boxes(places.cells()).shape()) <= budget;
        together = all ? places.cells() : null;
        slab = null;
    }

    /** Discards the encoded units. */
    void discard() {
        if (parts > 0) {
            staging.deleteParts();
            parts = 0;
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
     * Encodes those of the units {@code mine} of the object at {@code cell} that cannot be moved. Returns them by
     * number, without units that hold only the fill value.
     */
    Map<Integer, Part> encode(long[] cell, Box mine, UnitLocations places, boolean framed) {
        ChunkCodec codec = ArrayInternals.of(target).codec(cell);
        if (framed) {
            Partitioned shard = codec.partitioned().orElseThrow();
            codec = shard.inner();
            if (!target.metadata().codecs().arrayToArray().isEmpty()) {
                throw new UnsupportedException(
                        "cannot encode single inner chunks of a shard that array-to-array codecs precede");
            }
        }
        Map<Integer, Part> encoded = new HashMap<>();
        long inMemory = 0;
        long[] tile = tile(mine);
        Box tiles = tiles(mine, tile);
        for (long t = 0; t < tiles.count(); t++) {
            List<long[]> due = due(tile(tiles.at(t), tile, mine), places);
            if (due.isEmpty()) {
                continue;
            }
            List<Optional<Bytes>> bytes = encode(codec, due);
            for (int i = 0; i < due.size(); i++) {
                if (bytes.get(i).isPresent()) {
                    encoded.put(
                            places.number(due.get(i)),
                            new AssembledContent.Literal(bytes.get(i).get()));
                    inMemory += bytes.get(i).get().size();
                }
            }
            if (inMemory > budget) {
                staging.spill(parts++, encoded, content -> inPlace(source, target, cell, content));
                inMemory = 0;
            }
        }
        return encoded;
    }

    private static List<long[]> due(Box cells, UnitLocations places) {
        List<long[]> due = new ArrayList<>();
        for (long i = 0; i < cells.count(); i++) {
            if (places.isDecoded(places.number(cells.at(i)))) {
                due.add(cells.at(i));
            }
        }
        return due;
    }

    /** Returns the shape of as many units of {@code cells} as fit into the budget, whole rows first. */
    private long[] tile(Box cells) {
        long[] tile = new long[cells.rank()];
        java.util.Arrays.fill(tile, 1);
        for (int d = tile.length - 1; d >= 0; d--) {
            double one = bytes(units.boxes(Box.of(cells.origin(), tile)).shape());
            tile[d] = (long) Math.max(1, Math.min(cells.shape(d), budget / Math.max(1, one)));
            if (tile[d] < cells.shape(d)) {
                break;
            }
        }
        return tile;
    }

    private static Box tiles(Box cells, long[] tile) {
        return Box.of(cells.shape()).cells(tile);
    }

    private static Box tile(long[] at, long[] tile, Box cells) {
        return Box.cell(at, tile).translate(cells.origin()).intersect(cells);
    }

    /** Returns the bounding box of all these cells. */
    private static Box around(List<long[]> cells) {
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

    private List<Optional<Bytes>> encode(ChunkCodec codec, List<long[]> due) {
        Slab from = slab(around(due));
        Feed all = from.elements.feed();
        Box where = units.boxes(from.cells);
        WritePolicy policy = WritePolicy.defaults();
        long[] any = new long[where.rank()];
        return ArrayInternals.of(source)
                .inspect(
                        List.of(any),
                        (c, ignored) -> Plan.<Optional<Bytes>>all(due.size(), i -> {
                            Feed one = all.window(units.box(due.get((int) i)).relativeTo(where));
                            return Plan.defer(
                                    ignored.location(), scratch -> Plan.done(codec.encode(one, policy, scratch)));
                        }))
                .get(0);
    }

    /** Returns the elements of at least {@code cells}, or of the whole block if they fit. */
    private Slab slab(Box cells) {
        if (slab != null && slab.cells.contains(cells)) {
            return slab;
        }
        slab = null; // release the old slab before the next one is allocated
        Box read = together != null ? together : cells;
        Box where = units.boxes(read);
        Box inside = where.intersect(source.domain());
        DenseChunk elements = DenseChunk.filled(ChunkType.of(source.dataType(), source.fillValue(), where.shape()));
        source.read(inside, elements.target().window(inside.relativeTo(where)));
        Slab made = new Slab(read, elements);
        slab = made;
        return made;
    }

    /** Returns content with the elements of chunk {@code cell} of the target; it replaces the source's chunks there. */
    static Content inPlace(ZarrArray source, ZarrArray target, long[] cell, Content content) {
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
