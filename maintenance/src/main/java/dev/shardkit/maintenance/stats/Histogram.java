package dev.shardkit.maintenance.stats;

import dev.shardkit.maintenance.stats.Statistics.Bin;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Counts numbers in bins of equal width in one pass, without knowing their range in advance. The width is a power of
 * two. If a number lies outside the bins and no bin is free, each two neighbouring bins are merged into one of double
 * width. So all counts are exact. Not thread-safe.
 */
final class Histogram {
    /** The exponent of the smallest normal double. */
    private static final int MIN_EXPONENT = -1022;
    /** The largest number of a bin. All integers up to it are exact doubles. */
    private static final double EXACT = 1L << 52;

    private long[] counts;
    /** Bins cover [i * 2^exponent, (i + 1) * 2^exponent), for i from {@link #low} to {@link #high}. */
    private int exponent;

    /** Numbers are multiplied by this to find their bin: 2^-exponent. */
    private double scale;
    /** The lowest bin that is used. The histogram is empty if it is greater than {@link #high}. */
    private long low;
    /** The highest bin that is used. */
    private long high = -1;

    private Histogram(int bins, int exponent) {
        this.counts = new long[bins];
        this.exponent = exponent;
        this.scale = Math.scalb(1.0, -exponent);
    }

    /** Creates a histogram of at most {@code bins} bins. Bins of integers have a width of at least 1. */
    static Histogram of(int bins, boolean integers) {
        return new Histogram(bins, integers ? 0 : MIN_EXPONENT);
    }

    /** Counts {@code value}, which must be finite, {@code times} times. */
    void add(double value, long times) {
        double bin = bin(value);
        while (Math.abs(bin) > EXACT || !includeBin((long) bin)) {
            widen();
            bin = bin(value);
        }
        counts[(int) ((long) bin - low)] += times;
    }

    /** Returns the number of the bin that covers a value. */
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
        long otherExponent = PartialStatistics.number(state, "exponent");
        long otherLow = PartialStatistics.number(state, "low");
        if (otherExponent < MIN_EXPONENT
                || otherExponent > Double.MAX_EXPONENT + 1
                || Math.abs((double) otherLow) > EXACT) {
            throw new IllegalArgumentException(
                    "the statistics of a part: expected a histogram of doubles, found " + state);
        }
        if (added.length == 0) {
            return;
        }
        while (exponent < otherExponent) {
            widen();
        }
        while (!includeBin(binAfterWidening(otherLow, otherExponent))
                || !includeBin(binAfterWidening(otherLow + added.length - 1, otherExponent))) {
            widen();
        }
        for (int i = 0; i < added.length; i++) {
            counts[(int) (binAfterWidening(otherLow + i, otherExponent) - low)] += added[i];
        }
    }

    /** Returns the bin that contains bin {@code i} of a histogram whose exponent is smaller or equal. */
    private long binAfterWidening(long i, long otherExponent) {
        return i >> Math.min(Long.SIZE - 1, exponent - otherExponent);
    }

    /** Returns the bins from the lowest to the highest one that is used, including empty bins between them. */
    List<Bin> bins() {
        List<Bin> bins = new ArrayList<>();
        for (long i = low; i <= high; i++) {
            bins.add(new Bin(
                    Math.scalb((double) i, exponent), Math.scalb((double) (i + 1), exponent), counts[(int) (i - low)]));
        }
        return List.copyOf(bins);
    }
}
