package dev.shardkit.serve;

import dev.shardkit.spi.json.Json;
import java.util.Arrays;
import java.util.Optional;

/** Computes statistics of the elements of a plane for the server's page. Of a large plane, only its middle is read. */
final class PlaneStatistics {
    private static final int BINS = 64;
    /** The maximum width and height of the part that is read. */
    private static final int MAX_SIDE = 1024;

    private PlaneStatistics() {}

    /** Returns the maximum memory in bytes that the statistics need. */
    static long memory(Plane plane) {
        return plane.memory(left(plane), top(plane), width(plane), height(plane));
    }

    private static int width(Plane plane) {
        return (int) Math.min(MAX_SIDE, plane.width());
    }

    private static int height(Plane plane) {
        return (int) Math.min(MAX_SIDE, plane.height());
    }

    private static long left(Plane plane) {
        return (plane.width() - width(plane)) / 2;
    }

    private static long top(Plane plane) {
        return (plane.height() - height(plane)) / 2;
    }

    /**
     * Returns minimum, maximum, mean and histogram of finite values, and the share of the fill value. Missing elements
     * other than NaN are only counted.
     */
    static Json compute(Plane plane) throws HttpError {
        int width = width(plane);
        int height = height(plane);
        if (width == 0 || height == 0) {
            throw new HttpError(422, "the array has no elements");
        }
        Plane.Rectangle elements = plane.read(left(plane), top(plane), width, height);
        double[] values = new double[width * height];
        for (int i = 0; i < values.length; i++) {
            values[i] = elements.storedNumber(i % width, i / width);
        }
        long notFinite =
                Arrays.stream(values).filter(value -> !Double.isFinite(value)).count();
        double[] finite = Arrays.stream(values)
                .filter(value -> Double.isFinite(value) && !elements.isMissing(value))
                .toArray();
        Json.Obj statistics = Json.object()
                .with("elements", Json.of(values.length))
                .with("not_finite", Json.of(notFinite))
                .with("missing", Json.of(values.length - notFinite - finite.length))
                .with("whole_plane", Json.of(width == plane.width() && height == plane.height()));
        if (finite.length == 0) {
            return statistics;
        }
        double min = Arrays.stream(finite).min().orElseThrow();
        double max = Arrays.stream(finite).max().orElseThrow();
        long[] bins = new long[BINS];
        for (double value : finite) {
            // Halved, because the difference of two large numbers may overflow.
            double share = max > min ? (value / 2 - min / 2) / (max / 2 - min / 2) : 0;
            bins[(int) Math.min(BINS - 1, share * BINS)]++;
        }
        statistics = statistics
                .with("min", toJson(min))
                .with("max", toJson(max))
                .with(
                        "mean",
                        toJson(Arrays.stream(finite)
                                .map(value -> value / finite.length)
                                .sum()))
                .with("histogram", Json.of(bins));
        Optional<Double> fillValue = fillNumber(plane);
        if (fillValue.isPresent()) {
            long fillCount =
                    Arrays.stream(values).filter(fillValue.get()::equals).count();
            statistics = statistics.with("fill_share", toJson((double) fillCount / values.length));
        }
        return statistics;
    }

    /** Returns the fill value of the metadata, if it is a number. */
    private static Optional<Double> fillNumber(Plane plane) {
        Json json = plane.array().dataType().formatFill(plane.array().fillValue());
        try {
            return Optional.of(
                    json instanceof Json.Bool bool ? bool.value() ? 1.0 : 0.0 : Double.parseDouble(json.toString()));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Json toJson(double value) {
        return new Json.Num(Double.toString(value));
    }
}
