package dev.shardkit.ome.pyramid;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.chunks.UnchangedArrayReads;
import dev.shardkit.maintenance.destination.LazyFeed;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Shapes;
import java.util.Arrays;

/**
 * Computes the elements of a pyramid's level while they are written, by reducing the next finer level. Reads the finer
 * level in boxes of limited size, so that memory does not depend on the size of the image. Thread-safe.
 */
final class LevelLoader implements LazyFeed.Loader {
    /** The largest number of bytes of the finer level that one thread reads at a time. */
    private static final long MAX_BYTES = 64L << 20;

    private final ZarrArray finer;
    private final UnchangedArrayReads reads;
    private final int[] factors;
    private final Reduction reduction;
    private final long maxElements;
    private final boolean keepsFillValue;

    LevelLoader(UnchangedArrayReads reads, int[] factors, PyramidSettings settings) {
        this.reads = reads;
        this.finer = reads.array();
        this.factors = factors.clone();
        this.reduction = Reduction.of(finer.dataType(), settings.reducer(), settings.missing(), factors);
        // All cores may load at once. Together they use at most a sixteenth of the heap.
        long memoryShare =
                Runtime.getRuntime().maxMemory() / (16L * Runtime.getRuntime().availableProcessors());
        this.maxElements = Math.max(
                1,
                Math.min(MAX_BYTES, memoryShare)
                        / Math.max(1, finer.dataType().elementSize().orElse(1)));
        this.keepsFillValue = reducesFillToFill();
    }

    @Override
    public DenseChunk load(Box box) {
        DenseChunk chunk = emptyChunk(box);
        load(box, box, chunk);
        return chunk;
    }

    @Override
    public boolean isFill(Box box) {
        return keepsFillValue && reads.isAbsent(sourceBox(box));
    }

    private DenseChunk emptyChunk(Box box) {
        return DenseChunk.filled(ChunkType.of(finer.dataType(), finer.fillValue(), box.shape()));
    }

    /**
     * Loads a box into {@code target}, the chunk of the box {@code whole}. Splits the box in halves if it needs too
     * many elements of the finer level.
     */
    private void load(Box box, Box whole, DenseChunk target) {
        Box sourceBox = sourceBox(box);
        int dimension = sourceBox.count() > maxElements ? dimensionToSplit(box) : -1;
        if (dimension >= 0) {
            long halfLength = halfLength(box, dimension);
            long[] shape = box.shape();
            shape[dimension] = halfLength;
            load(Box.of(box.origin(), shape), whole, target);
            long[] origin = box.origin();
            origin[dimension] += halfLength;
            shape[dimension] = box.shape(dimension) - halfLength;
            load(Box.of(origin, shape), whole, target);
            return;
        }
        DenseChunk sourceChunk = emptyChunk(sourceBox);
        reads.read(sourceBox, sourceChunk.target());
        DenseChunk reducedChunk = emptyChunk(box);
        reduction.reduce(
                (Elements.Fixed) sourceChunk.elements(), sourceBox.shape(), (Elements.Fixed) reducedChunk.elements());
        long[] strides = Shapes.strides(box.shape());
        target.target().put(reducedChunk.elements(), 0, strides, box.relativeTo(whole));
    }

    /** Returns whether a block of fill values is reduced to exactly the fill value. */
    boolean keepsFillValue() {
        return keepsFillValue;
    }

    private boolean reducesFillToFill() {
        long[] shape = Arrays.stream(factors).asLongStream().toArray();
        long[] unitShape = new long[shape.length];
        Arrays.fill(unitShape, 1);
        DenseChunk reducedChunk = emptyChunk(Box.of(unitShape));
        reduction.reduce(
                (Elements.Fixed) emptyChunk(Box.of(shape)).elements(), shape, (Elements.Fixed) reducedChunk.elements());
        return reducedChunk.isFill();
    }

    /** Returns the box of elements of this level that depend on a box of the finer level. */
    Box dependentBox(Box box) {
        long[] origin = box.origin();
        long[] shape = box.shape();
        for (int d = 0; d < origin.length; d++) {
            origin[d] = box.origin(d) / factors[d];
            shape[d] = shape[d] == 0 ? 0 : (box.end(d) - 1) / factors[d] + 1 - origin[d];
        }
        return Box.of(origin, shape);
    }

    /** Returns the box of the finer level that a box of this level is computed from. */
    private Box sourceBox(Box box) {
        long[] origin = box.origin();
        long[] shape = box.shape();
        for (int d = 0; d < origin.length; d++) {
            origin[d] *= factors[d];
            shape[d] = Math.min(shape[d] * factors[d], finer.shape()[d] - origin[d]);
        }
        return Box.of(origin, shape);
    }

    /**
     * Returns about half the length of a dimension. If possible, the box is cut between two inner chunks of the finer
     * level.
     */
    private long halfLength(Box box, int dimension) {
        long cutUnit = Math.max(1, finer.chunkShape()[dimension] / factors[dimension]);
        long end = box.origin(dimension) + box.shape(dimension) / 2;
        long length = end / cutUnit * cutUnit - box.origin(dimension);
        return length > 0 ? length : box.shape(dimension) / 2;
    }

    /** Returns the dimension with the most inner chunks of the finer level; -1 if the box is a single element. */
    private int dimensionToSplit(Box box) {
        int widest = -1;
        double maxChunks = 0;
        for (int d = 0; d < box.rank(); d++) {
            double chunks = (double) box.shape(d) * factors[d] / finer.chunkShape()[d];
            if (box.shape(d) > 1 && chunks > maxChunks) {
                maxChunks = chunks;
                widest = d;
            }
        }
        return widest;
    }
}
