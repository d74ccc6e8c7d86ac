package dev.shardkit;

import dev.shardkit.slices.SliceListener;
import dev.shardkit.slices.SliceStrategy;
import dev.shardkit.spi.array.Box;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Options of a {@link SliceWriter}. Immutable; start with {@link #defaults()}. */
public final class SliceOptions {
    /** The number of slices before a flush if the writer does not flush by itself. */
    private static final long NO_FLUSH = Long.MAX_VALUE;

    private static final SliceOptions DEFAULTS = new SliceOptions(
            SliceStrategy.AUTO, defaultBudget(), null, Growth.FIXED, new SliceListener() {}, NO_FLUSH, null);

    private final SliceStrategy strategy;
    private final long budgetBytes;
    private final @Nullable Box region;
    private final Growth growth;
    private final SliceListener listener;
    private final long flushSlices;
    private final @Nullable Duration flushDelay;

    private SliceOptions(
            SliceStrategy strategy,
            long budgetBytes,
            @Nullable Box region,
            Growth growth,
            SliceListener listener,
            long flushSlices,
            @Nullable Duration flushDelay) {
        this.strategy = strategy;
        this.budgetBytes = budgetBytes;
        this.region = region;
        this.growth = growth;
        this.listener = listener;
        this.flushSlices = flushSlices;
        this.flushDelay = flushDelay;
    }

    /** Whether the writer may extend the array. */
    public enum Growth {
        /** The length stays fixed. */
        FIXED,
        /**
         * The writer extends the array and, without a region, appends at the stored end. The length grows after the
         * slices are committed, so readers never see slices that are not stored yet. On a store without locks the
         * length grows first, and new slices read as the fill value until they are stored. Any number of writers may
         * extend an array at once without losing slices.
         */
        GROW
    }

    private static long defaultBudget() {
        return Math.min(1L << 30, Runtime.getRuntime().maxMemory() / 8 * 5);
    }

    /**
     * Returns the defaults: an automatic strategy, a budget of five eighths of the heap but at most 1 GiB, the whole
     * array, and a fixed length.
     */
    public static SliceOptions defaults() {
        return DEFAULTS;
    }

    /** Returns these options with another strategy. */
    public SliceOptions withStrategy(SliceStrategy other) {
        return new SliceOptions(other, budgetBytes, region, growth, listener, flushSlices, flushDelay);
    }

    /** Returns these options with another growth. */
    public SliceOptions withGrowth(Growth other) {
        return new SliceOptions(strategy, budgetBytes, region, other, listener, flushSlices, flushDelay);
    }

    /**
     * Returns these options with another limit for the bytes of slices that wait in memory. At least one slice may
     * always wait.
     *
     * <p>In a {@linkplain SliceStrategy#PIPELINED pipeline}, the limit includes encoded slices and inner chunks that
     * are being encoded; a pipeline uses at most five eighths of the heap. {@link #estimate} says which budget a
     * pipeline needs. With other strategies, writing the slices takes about as much memory again, or for in-place and
     * append writes about a quarter of the limit (at least 8 MiB).
     */
    public SliceOptions withBudgetBytes(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("expected a budget of at least 0 bytes, found " + bytes);
        }
        return new SliceOptions(strategy, bytes, region, growth, listener, flushSlices, flushDelay);
    }

    /**
     * Returns these options for the slices of a region. The first slice is at the region's origin. If the array has a
     * fixed length, the last slice is at the region's end.
     */
    public SliceOptions withRegion(Box other) {
        return new SliceOptions(strategy, budgetBytes, other, growth, listener, flushSlices, flushDelay);
    }

    /** Returns these options with a listener for waits. */
    public SliceOptions withListener(SliceListener other) {
        return new SliceOptions(strategy, budgetBytes, region, growth, other, flushSlices, flushDelay);
    }

    /**
     * Returns these options with a flush after every {@code slices} slices. The flush begins when the last of them is
     * accepted; a {@linkplain SliceStrategy#PIPELINED pipeline} stores them in the background, soon after. A number of
     * slices that is not a multiple of the depth of inner chunks costs time and space, because incomplete inner chunks
     * are written, and later written again.
     */
    public SliceOptions withFlushEvery(long slices) {
        if (slices < 1) {
            throw new IllegalArgumentException("expected a flush after at least 1 slice, found " + slices);
        }
        return new SliceOptions(strategy, budgetBytes, region, growth, listener, slices, flushDelay);
    }

    /**
     * Returns these options with a flush that begins at most {@code delay} after a slice was accepted, also if no other
     * slice arrives. The flush begins after the current call of the stream and runs in the background. So a reader
     * misses, and a crash of the process loses, only the slices of the last {@code delay} and those accepted while the
     * flush runs. If the store cannot keep up, a flush may take any time. {@link SliceWriter#committed} says which
     * slices are stored.
     */
    public SliceOptions withFlushAfter(Duration delay) {
        if (delay.isNegative() || delay.isZero()) {
            throw new IllegalArgumentException("expected a delay of more than 0, found " + delay);
        }
        return new SliceOptions(strategy, budgetBytes, region, growth, listener, flushSlices, delay);
    }

    /**
     * Returns how much memory a stream along {@code dimension} of {@code array} needs with these options. Reads
     * metadata of the array.
     */
    public SliceEstimate estimate(ZarrArray array, int dimension) {
        return array.sliceEstimate(dimension, this);
    }

    /** Returns how slices are written to shards. */
    public SliceStrategy strategy() {
        return strategy;
    }

    /** Returns how many bytes of slices may wait in memory. */
    public long budgetBytes() {
        return budgetBytes;
    }

    /** Returns the region of the slices; empty for the whole array. */
    public Optional<Box> region() {
        return Optional.ofNullable(region);
    }

    /** Returns whether the writer may extend the array. */
    public Growth growth() {
        return growth;
    }

    /** Returns after how many slices the stream is flushed; the largest {@code long} for no such flush. */
    public long flushSlices() {
        return flushSlices;
    }

    /** Returns how long after a slice the stream is flushed; empty for no such flush. */
    public Optional<Duration> flushDelay() {
        return Optional.ofNullable(flushDelay);
    }

    /** Returns the listener for waits. */
    public SliceListener listener() {
        return listener;
    }
}
