package dev.shardkit.files;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrView;
import dev.shardkit.maintenance.chunks.UnchangedArrayReads;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Splits a region into slabs: boxes that follow one another in C order and fit into memory, so that a large region can
 * be read or written piece by piece. Cuts along chunk borders if possible. Not thread-safe.
 */
public final class Slabs implements Iterator<Box> {
    private static final long MAX_BYTES = 128L << 20;
    /** The assumed size of an element of variable size. */
    private static final int VARIABLE_ELEMENT_BYTES = 128;

    private final Box region;
    /**
     * The dimension in which slabs are cut; -1 if the region is one slab. A slab has all indices of later dimensions
     * and one index of each earlier dimension.
     */
    private final int splitDimension;
    /** The length of a slab in the split dimension. */
    private final long slabLength;
    /** The origin of the next slab. */
    private final long[] position;

    private boolean isDone;

    /**
     * Creates an iterator of slabs.
     *
     * @param region the region to split
     * @param chunkShape the shape of the chunk grid
     * @param maxElements the maximum number of elements of a slab
     */
    Slabs(Box region, long[] chunkShape, long maxElements) {
        this.region = region;
        long[] shape = region.shape();
        // As many of the last dimensions as fit entirely into a slab.
        long elements = 1;
        int dimension = shape.length - 1;
        while (dimension >= 0 && (shape[dimension] == 0 || elements <= maxElements / shape[dimension])) {
            elements *= shape[dimension--];
        }
        this.splitDimension = dimension;
        long fittingLength = dimension < 0 ? 0 : Math.max(1, maxElements / elements);
        // A length of at least one chunk is rounded down to whole chunks.
        this.slabLength = dimension < 0
                ? 0
                : fittingLength >= chunkShape[dimension]
                        ? fittingLength / chunkShape[dimension] * chunkShape[dimension]
                        : fittingLength;
        this.position = region.origin();
        this.isDone = region.isEmpty();
    }

    /** Returns the slabs of a region of an array. A slab has at most 128 MiB and at most an eighth of the heap. */
    public static Slabs create(ZarrArray array, Box region) {
        long bytes = Math.min(MAX_BYTES, Runtime.getRuntime().maxMemory() / 8);
        long maxElements = bytes / Math.max(1, array.dataType().elementSize().orElse(VARIABLE_ELEMENT_BYTES));
        return new Slabs(region, array.chunkShape(), maxElements);
    }

    /** Receives elements. */
    public interface Sink {
        /** Receives the next elements in C order, little-endian. */
        void accept(Elements elements) throws IOException;
    }

    /**
     * Reads a region slab by slab. If the store can list, lists the stored chunks once and reads only these.
     *
     * @throws dev.shardkit.spi.error.ZarrException if a chunk cannot be read
     * @throws IOException if the sink throws it
     */
    public static void read(ZarrArray array, Box region, Sink sink) throws IOException {
        UnchangedArrayReads reads =
                region.equals(array.domain()) ? UnchangedArrayReads.ofWhole(array) : new UnchangedArrayReads(array);
        for (Slabs slabs = create(array, region); slabs.hasNext(); ) {
            Box slab = slabs.next();
            DenseChunk chunk = DenseChunk.filled(ChunkType.of(array.dataType(), array.fillValue(), slab.shape()));
            reads.read(slab, chunk.target());
            sink.accept(chunk.elements());
        }
    }

    /**
     * Reads a view of an array slab by slab. The view has all dimensions of the array.
     *
     * @throws dev.shardkit.spi.error.ZarrException if a chunk cannot be read
     * @throws IOException if the sink throws it
     */
    public static void read(ZarrArray array, ZarrView view, Sink sink) throws IOException {
        for (Slabs slabs = create(array, Box.of(view.shape())); slabs.hasNext(); ) {
            Box slab = slabs.next();
            DenseChunk chunk = DenseChunk.filled(ChunkType.of(array.dataType(), array.fillValue(), slab.shape()));
            view.region(slab).read(chunk.target());
            sink.accept(chunk.elements());
        }
    }

    @Override
    public boolean hasNext() {
        return !isDone;
    }

    @Override
    public Box next() {
        if (isDone) {
            throw new NoSuchElementException();
        }
        long[] origin = position.clone();
        long[] shape = region.shape();
        if (splitDimension < 0) {
            isDone = true;
            return Box.of(origin, shape);
        }
        Arrays.fill(shape, 0, splitDimension, 1);
        // Slabs end at multiples of their length, counted from index 0 of the array, as chunks do.
        long end = Math.min(region.end(splitDimension), (position[splitDimension] / slabLength + 1) * slabLength);
        shape[splitDimension] = end - position[splitDimension];
        advance(end);
        return Box.of(origin, shape);
    }

    /** Moves to the next slab, after one that ends at {@code end} in the split dimension. */
    private void advance(long end) {
        position[splitDimension] = end;
        for (int dimension = splitDimension;
                dimension >= 0 && position[dimension] == region.end(dimension);
                dimension--) {
            if (dimension == 0) {
                isDone = true;
                return;
            }
            position[dimension] = region.origin(dimension);
            position[dimension - 1]++;
        }
    }
}
