package dev.shardkit.files;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrView;
import dev.shardkit.maintenance.base.SparseReads;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Splits a region into boxes that follow one another in C order and fit into memory, along chunk borders if possible.
 * Lazy; not thread-safe.
 */
public final class Slabs implements Iterator<Box> {
    private static final long MAX_BYTES = 128L << 20;
    private static final int VARIABLE_ELEMENT_BYTES = 128;

    private final Box region;
    private final int cut;
    private final long step;
    private final long[] at;
    private boolean done;

    /**
     * Splits {@code region}.
     *
     * @param chunkShape the shape of the chunk grid
     * @param most the maximum number of elements of a slab
     */
    Slabs(Box region, long[] chunkShape, long most) {
        this.region = region;
        long[] shape = region.shape();
        long elements = 1;
        int d = shape.length - 1;
        while (d >= 0 && (shape[d] == 0 || elements <= most / shape[d])) {
            elements *= shape[d--];
        }
        this.cut = d;
        long fits = d < 0 ? 0 : Math.max(1, most / elements);
        this.step = d < 0 ? 0 : fits >= chunkShape[d] ? fits / chunkShape[d] * chunkShape[d] : fits;
        this.at = region.origin();
        this.done = region.isEmpty();
    }

    /** Returns the slabs of a region of an array, at most 128 MiB and an eighth of the heap each. */
    public static Slabs of(ZarrArray array, Box region) {
        long bytes = Math.min(MAX_BYTES, Runtime.getRuntime().maxMemory() / 8);
        long most = bytes / Math.max(1, array.dataType().elementSize().orElse(VARIABLE_ELEMENT_BYTES));
        return new Slabs(region, array.chunkShape(), most);
    }

    /** Receives elements. */
    public interface Sink {
        /** Receives the next elements in C order, little-endian. */
        void accept(Elements elements) throws IOException;
    }

    /**
     * Reads a region slab by slab. Lists the stored chunks once if the store can list, and reads no others.
     *
     * @throws dev.shardkit.spi.error.ZarrException if a chunk cannot be read
     * @throws IOException if the sink throws it
     */
    public static void read(ZarrArray array, Box region, Sink sink) throws IOException {
        SparseReads reads = region.equals(array.domain()) ? SparseReads.ofWhole(array) : new SparseReads(array);
        for (Slabs slabs = of(array, region); slabs.hasNext(); ) {
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
        for (Slabs slabs = of(array, Box.of(view.shape())); slabs.hasNext(); ) {
            Box slab = slabs.next();
            DenseChunk chunk = DenseChunk.filled(ChunkType.of(array.dataType(), array.fillValue(), slab.shape()));
            view.region(slab).read(chunk.target());
            sink.accept(chunk.elements());
        }
    }

    @Override
    public boolean hasNext() {
        return !done;
    }

    @Override
    public Box next() {
        if (done) {
            throw new NoSuchElementException();
        }
        long[] origin = at.clone();
        long[] shape = region.shape();
        if (cut < 0) {
            done = true;
            return Box.of(origin, shape);
        }
        Arrays.fill(shape, 0, cut, 1);
        // up to the next chunk border at which a whole step ends
        long end = Math.min(region.end(cut), (at[cut] / step + 1) * step);
        shape[cut] = end - at[cut];
        advance(end);
        return Box.of(origin, shape);
    }

    private void advance(long end) {
        at[cut] = end;
        for (int d = cut; d >= 0 && at[d] == region.end(d); d--) {
            if (d == 0) {
                done = true;
                return;
            }
            at[d] = region.origin(d);
            at[d - 1]++;
        }
    }
}
