package dev.shardkit.region;

import dev.shardkit.carrier.JavaArrays;
import dev.shardkit.engine.Edits;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkGrid;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.store.Ownership;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Where the slices of a stream go. Of an array that grows, that is decided for each batch by the length that is stored
 * then, while nobody else makes it longer: other streams may have. Not thread-safe: guarded by its writer.
 */
public final class SlicePlace {
    /** The lock, below an array's node, of streams that make it longer and of resizes; there is no such object. */
    public static final String GROWTH = "__growth";

    private final StoredNode own;
    private final int dimension;
    private final Box region;
    private final boolean grows;
    /** Whether slices go behind the array's end, wherever that is. */
    private final boolean behind;

    private ArrayMetadata stored;
    private ArrayMetadata writing;
    private Chunks chunks;
    private long reached;
    private boolean longer;
    private Optional<Batch> reserved = Optional.empty();

    /**
     * The place of a stream.
     *
     * @param grows whether the array may become longer
     * @param wanted where the slices go; without it, the whole array, or what lies behind it if it grows
     */
    public SlicePlace(StoredNode own, ArrayMetadata known, int dimension, boolean grows, Optional<Box> wanted) {
        this.own = own;
        this.dimension = dimension;
        this.grows = grows;
        this.behind = grows && wanted.isEmpty();
        this.stored = own.current(known);
        refuseOtherType(known);
        this.region = region(Box.of(stored.shape()), wanted);
        JavaArrays.length(stored.dataType(), slice(0).shape()); // refuses what no Java array holds
        follow();
        reach(region.origin(dimension) + 1);
    }

    /** Slices that are stored together: where the first lies, and how many there are. */
    public record Batch(long position, int count) {
        public long end() {
            return position + count;
        }
    }

    private void refuseOtherType(ArrayMetadata known) {
        if (!known.dataType().name().equals(stored.dataType().name()) || known.rank() != stored.rank()) {
            throw new MetadataException("the array was replaced: expected "
                            + known.dataType().name() + Arrays.toString(known.shape()) + ", found "
                            + stored.dataType().name() + Arrays.toString(stored.shape()))
                    .locate(Optional.of(own.location()), Optional.empty(), Optional.empty());
        }
    }

    private Box region(Box domain, Optional<Box> asked) {
        if (dimension < 0 || dimension >= domain.rank()) {
            throw new IllegalArgumentException("dimension " + dimension + " of an array of " + domain.rank());
        }
        long length = domain.shape(dimension);
        Box wanted = asked.orElse(behind ? Boxes.cut(domain, dimension, length, length) : domain);
        refuseOutside(domain, wanted);
        return wanted;
    }

    private void refuseOutside(Box domain, Box wanted) {
        boolean inside = wanted.rank() == domain.rank()
                && (grows
                        ? Boxes.cut(domain, dimension, 0, 1).contains(Boxes.cut(wanted, dimension, 0, 1))
                        : domain.contains(wanted));
        if (!inside) {
            throw new IndexOutOfBoundsException("region " + wanted + " reaches outside the array " + domain);
        }
    }

    /**
     * Makes sure that the metadata that writes go by reach to the end of the shard in which slice {@code end - 1} lies:
     * what others have written there behind the array's end, or will, is kept.
     */
    public void reach(long end) {
        if (end <= reached) {
            return;
        }
        long[] shape = stored.shape();
        shape[dimension] = Math.max(shape[dimension], end);
        reached = end;
        if (!Boxes.cut(region, dimension, 0, 1).isEmpty()) {
            long[] last = region.origin();
            last[dimension] = end - 1;
            long[] one = new long[shape.length];
            Arrays.fill(one, 1);
            ChunkGrid grid = stored.withShape(shape).chunkGrid();
            reached = grid.chunk(grid.touched(Box.of(last, one)).origin()).end(dimension);
            shape[dimension] = Math.max(shape[dimension], reached);
        }
        writing = stored.withShape(shape);
        chunks = new Chunks(writing, own);
    }

    /** Whether this stream has made the array longer. */
    public boolean isLonger() {
        return longer;
    }

    /** The array's metadata, as they were seen last. */
    public ArrayMetadata stored() {
        return stored;
    }

    public Chunks chunks() {
        return chunks;
    }

    public Box region() {
        return region;
    }

    public Box slice(long position) {
        return Boxes.cut(region, dimension, position, position + 1);
    }

    /**
     * Stores a batch, and makes the array longer where it grows.
     *
     * @param node how it is written
     * @param position where the first of them goes, unless it goes behind the end
     * @return what was stored: these slices, or the first of them
     */
    public Batch store(StoredNode node, SlicePlan plan, long position, List<Object> slices) {
        Batch fixed = new Batch(position, slices.size());
        if (!behind) {
            refresh();
            refuseOutside(Box.of(stored.shape()), region);
            return fixed.end() <= stored.shape()[dimension]
                    ? stored(node, plan, fixed, slices)
                    : alone(node, plan, Optional.of(fixed), slices);
        }
        own.current(stored); // which has to be there before a lock leaves its file
        if (isAlone(node)) {
            return alone(node, plan, Optional.empty(), slices);
        }
        Batch batch = reserved.orElseGet(() -> reserve(node, slices.size()));
        reserved = Optional.of(batch); // until they are stored: a call that failed can be repeated
        stored(node, plan, batch, slices.subList(0, batch.count()));
        reserved = Optional.empty();
        return batch;
    }

    /** Whether no stream makes the array longer while another one, or a resize, holds the lock for that. */
    public static boolean isAlone(StoredNode node) {
        return node.session().options().writing().ownership() == Ownership.OWNED || Edits.canBeAlone(node.writing());
    }

    /**
     * Stores a batch under the lock, where the store has locks; behind the end that is stored then if it has no place.
     */
    private Batch alone(StoredNode node, SlicePlan plan, Optional<Batch> place, List<Object> slices) {
        return node.session().edits().alone(node.key(GROWTH), node.writing(), () -> {
            refresh();
            refuseOutside(Box.of(stored.shape()), region);
            Batch batch = place.orElseGet(() -> new Batch(stored.shape()[dimension], slices.size()));
            return stored(node, plan, batch, slices);
        });
    }

    private void refresh() {
        ArrayMetadata before = stored;
        stored = own.current(stored);
        refuseOtherType(before);
        follow();
    }

    private void follow() {
        writing = stored;
        chunks = new Chunks(stored, own);
        reached = 0;
    }

    /** A store that has conditions but no locks: the length comes first, since nobody can be kept out meanwhile. */
    private Batch reserve(StoredNode node, int count) {
        long[] position = {0};
        stored = node.changeMetadata(stored, now -> {
            long[] shape = now.shape();
            position[0] = shape[dimension];
            shape[dimension] += count;
            return now.withShape(shape);
        });
        longer = true;
        follow();
        return new Batch(position[0], count);
    }

    private Batch stored(StoredNode node, SlicePlan plan, Batch batch, List<Object> slices) {
        reach(batch.end());
        Box slab = Boxes.cut(region, dimension, batch.position(), batch.end());
        long[] shape = slice(0).shape();
        List<Feed> feeds = slices.stream()
                .map(s -> JavaArrays.feed(stored.dataType(), shape, s, 0))
                .toList();
        SliceStack stack = new SliceStack(dimension, feeds);
        Writes writes = new Writes(node, writing, chunks);
        for (Box tile : plan.tiles(chunks, slab)) {
            writes.write(tile, stack.window(tile.relativeTo(slab.origin())));
        }
        if (batch.end() > stored.shape()[dimension]) {
            stored = node.changeMetadata(stored, now -> {
                long[] lengths = now.shape();
                lengths[dimension] = Math.max(lengths[dimension], batch.end());
                return now.withShape(lengths);
            });
            longer = true;
        }
        return batch;
    }

    /** Whether the store can be written to at all, and the array. */
    public void check(StoredNode node) {
        new Writes(node, stored, chunks).check("writing slices");
    }
}
