package dev.shardkit.ome;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.base.SparseReads;
import dev.shardkit.maintenance.copy.LazyFeed;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Shapes;
import java.util.Arrays;

/**
 * Loads parts of a level by reducing the next finer one. Reads the finer level in boxes of limited size, so that memory
 * does not depend on the size of the image. Thread-safe.
 */
final class LevelFeed implements LazyFeed.Loader {
    private static final long MAX_BYTES = 64L << 20;

    private final ZarrArray finer;
    private final SparseReads reads;
    private final int[] factors;
    private final Reduction reduction;
    private final long most;
    private final boolean keepsFill;

    LevelFeed(SparseReads reads, int[] factors, PyramidPlan plan) {
        this.reads = reads;
        this.finer = reads.array();
        this.factors = factors.clone();
        this.reduction = Reduction.of(finer.dataType(), plan.reducer(), plan.missing(), factors);
        long share =
                Runtime.getRuntime().maxMemory() / (16L * Runtime.getRuntime().availableProcessors());
        this.most = Math.max(
                1,
                Math.min(MAX_BYTES, share)
                        / Math.max(1, finer.dataType().elementSize().orElse(1)));
        this.keepsFill = reducesFillToFill();
    }

    @Override
    public DenseChunk load(Box part) {
        DenseChunk chunk = chunk(part);
        load(part, part, chunk);
        return chunk;
    }

    @Override
    public boolean isFill(Box part) {
        return keepsFill && reads.isAbsent(source(part));
    }

    private DenseChunk chunk(Box part) {
        return DenseChunk.filled(ChunkType.of(finer.dataType(), finer.fillValue(), part.shape()));
    }

    /** Loads a box of {@code whole}, in halves if it takes too much of the finer level. */
    private void load(Box box, Box whole, DenseChunk to) {
        Box source = source(box);
        int d = source.count() > most ? widest(box) : -1;
        if (d >= 0) {
            long half = half(box, d);
            long[] shape = box.shape();
            shape[d] = half;
            load(Box.of(box.origin(), shape), whole, to);
            long[] origin = box.origin();
            origin[d] += half;
            shape[d] = box.shape(d) - half;
            load(Box.of(origin, shape), whole, to);
            return;
        }
        DenseChunk read = chunk(source);
        reads.read(source, read.target());
        DenseChunk reduced = chunk(box);
        reduction.reduce((Elements.Fixed) read.elements(), source.shape(), (Elements.Fixed) reduced.elements());
        long[] strides = Shapes.strides(box.shape());
        to.target().put(reduced.elements(), 0, strides, box.relativeTo(whole));
    }

    /** Returns whether fill values only become the fill value, bit by bit. */
    boolean keepsFill() {
        return keepsFill;
    }

    private boolean reducesFillToFill() {
        long[] shape = Arrays.stream(factors).asLongStream().toArray();
        long[] one = new long[shape.length];
        Arrays.fill(one, 1);
        DenseChunk reduced = chunk(Box.of(one));
        reduction.reduce((Elements.Fixed) chunk(Box.of(shape)).elements(), shape, (Elements.Fixed) reduced.elements());
        return reduced.isFill();
    }

    /** Returns the elements that depend on those of a box of the finer level. */
    Box reduced(Box box) {
        long[] origin = box.origin();
        long[] shape = box.shape();
        for (int d = 0; d < origin.length; d++) {
            origin[d] = box.origin(d) / factors[d];
            shape[d] = shape[d] == 0 ? 0 : (box.end(d) - 1) / factors[d] + 1 - origin[d];
        }
        return Box.of(origin, shape);
    }

    private Box source(Box box) {
        long[] origin = box.origin();
        long[] shape = box.shape();
        for (int d = 0; d < origin.length; d++) {
            origin[d] *= factors[d];
            shape[d] = Math.min(shape[d] * factors[d], finer.shape()[d] - origin[d]);
        }
        return Box.of(origin, shape);
    }

    /**
     * Half the length of a dimension, rounded so that the cut is between inner chunks of the finer level, if possible.
     */
    private long half(Box box, int d) {
        long unit = Math.max(1, finer.chunkShape()[d] / factors[d]);
        long end = box.origin(d) + box.shape(d) / 2;
        long cut = end / unit * unit - box.origin(d);
        return cut > 0 ? cut : box.shape(d) / 2;
    }

    /** The dimension with the most inner chunks of the finer level; -1 if the box is a single element. */
    private int widest(Box box) {
        int widest = -1;
        double most = 0;
        for (int d = 0; d < box.rank(); d++) {
            double chunks = (double) box.shape(d) * factors[d] / finer.chunkShape()[d];
            if (box.shape(d) > 1 && chunks > most) {
                most = chunks;
                widest = d;
            }
        }
        return widest;
    }
}
