package dev.shardkit.maintenance.stats;

import dev.shardkit.maintenance.stats.Statistics.Bin;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Counts numbers in bins of one width, a power of two, in one pass and without knowing their range: if a number lies
 * outside the bins, pairs of bins are merged. So all counts are exact. Not thread-safe.
 */
final class Histogram {
    private static final int MIN_EXPONENT = -1022;
    /** Below this, all integers are exact doubles. */
    private static final double EXACT = 1L << 52;

    private long[] counts;
    /** Bins cover [i * 2^exponent, (i + 1) * 2^exponent), for i from {@link #low} to {@link #high}. */
    private int exponent;

    private double scale;
    private long low;
    private long high = -1;

    private Histogram(int bins, int exponent) {
        this.counts = new long[bins];
        this.exponent = exponent;
        this.scale = Math.scalb(1.0, -exponent);
    }

    /** Creates a histogram of at most {@code bins} bins, which are at least 1 wide if the numbers are integers. */
    static Histogram of(int bins, boolean integers) {
        return new Histogram(bins, integers ? 0 : MIN_EXPONENT);
    }

    /** Counts {@code value}, which must be finite, {@code times} times. */
    void add(double value, long times) {
        double at = bin(value);
        while (Math.abs(at) > EXACT || !includeBin((long) at)) {
            widen();
            at = bin(value);
        }
        counts[(int) ((long) at - low)] += times;
    }

    private double bin(double value) {
        double scaled = value * scale;
        // The product of a tiny negative number may be rounded to zero.
        return scaled == 0 && value < 0 ? -1 : Math.floor(scaled);
    }

    /** Extends the bins to include bin {@code i}. Returns false if that takes too many bins. */
    private boolean includeBin(long i) {
        if (low > high) {
            low = i;
            high = i;
        } else if (i > high) {
            if (i - low >= counts.length) {
                return false;
            }
            high = i;
        } else if (i < low) {
            if (high - i >= counts.length) {
                return false;
            }
            System.arraycopy(counts, 0, counts, (int) (low - i), (int) (high - low + 1));
            Arrays.fill(counts, 0, (int) (low - i), 0);
            low = i;
        }
        return true;
    }

    /** Doubles the width of the bins. */
    private void widen() {
        exponent++;
        scale = Math.scalb(1.0, -exponent);
        if (low > high) {
            return;
        }
        long[] merged = new long[counts.length];
        long to = Math.floorDiv(low, 2L);
        for (long i = low; i <= high; i++) {
            merged[(int) (Math.floorDiv(i, 2L) - to)] += counts[(int) (i - low)];
        }
        counts = merged;
        low = to;
        high = Math.floorDiv(high, 2L);
    }

    /** Returns the state as JSON, for {@link #add(Json.Obj)} of another histogram. */
    Json.Obj state() {
        long[] used = low > high ? new long[0] : Arrays.copyOf(counts, (int) (high - low + 1));
        return Json.object()
                .with("exponent", Json.of(exponent))
                .with("low", Json.of(low))
                .with("counts", Json.of(used));
    }

    /**
     * Adds the counts of another histogram with as many bins.
     *
     * @throws IllegalArgumentException if {@code state} is not a state of a histogram
     */
    void add(Json.Obj state) {
        long[] added = PartialStatistics.counts(state, "counts", counts.length);
        long other = PartialStatistics.number(state, "exponent");
        long from = PartialStatistics.number(state, "low");
        if (other < MIN_EXPONENT || other > Double.MAX_EXPONENT + 1 || Math.abs((double) from) > EXACT) {
            throw new IllegalArgumentException(
                    "the statistics of a part: expected a histogram of doubles, found " + state);
        }
        if (added.length == 0) {
            return;
        }
        while (exponent < other) {
            widen();
        }
        while (!includeBin(binAfterWidening(from, other))
                || !includeBin(binAfterWidening(from + added.length - 1, other))) {
            widen();
        }
        for (int i = 0; i < added.length; i++) {
            counts[(int) (binAfterWidening(from + i, other) - low)] += added[i];
        }
    }

    /** Returns the bin that holds bin {@code i} of a histogram with a smaller or equal exponent. */
    private long binAfterWidening(long i, long other) {
        return i >> Math.min(Long.SIZE - 1, exponent - other);
    }

    /** Returns the bins from the lowest to the highest that counted a number. */
    List<Bin> bins() {
        List<Bin> bins = new ArrayList<>();
        for (long i = low; i <= high; i++) {
            bins.add(new Bin(
                    Math.scalb((double) i, exponent), Math.scalb((double) (i + 1), exponent), counts[(int) (i - low)]));
        }
        return List.copyOf(bins);
    }
}
