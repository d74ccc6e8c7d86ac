package dev.shardkit.serve;

import dev.shardkit.spi.json.Json;
import java.util.Arrays;
import java.util.Optional;

/** Facts about the elements of a plane, from its middle if it is large. */
final class Statistics {
    private static final int BINS = 64;
    private static final int MAX_SIDE = 1024;

    private Statistics() {}

    /** Returns the memory in bytes that the facts take, at most. */
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
     * Returns minimum, maximum, mean, the share of the fill value, and a histogram, of finite values. Missing elements
     * other than NaN are only counted.
     */
    static Json of(Plane plane) throws Refused {
        int width = width(plane);
        int height = height(plane);
        if (width == 0 || height == 0) {
            throw new Refused(422, "the array has no elements");
        }
        Plane.Elements elements = plane.read(left(plane), top(plane), width, height);
        double[] values = new double[width * height];
        for (int i = 0; i < values.length; i++) {
            values[i] = elements.numberAt(i % width, i / width);
        }
        long notFinite = Arrays.stream(values).filter(v -> !Double.isFinite(v)).count();
        double[] finite = Arrays.stream(values)
                .filter(v -> Double.isFinite(v) && !elements.isMissing(v))
                .toArray();
        Json.Obj facts = Json.object()
                .with("elements", Json.of(values.length))
                .with("not_finite", Json.of(notFinite))
                .with("missing", Json.of(values.length - notFinite - finite.length))
                .with("whole_plane", Json.of(width == plane.width() && height == plane.height()));
        if (finite.length == 0) {
            return facts;
        }
        double least = Arrays.stream(finite).min().orElseThrow();
        double most = Arrays.stream(finite).max().orElseThrow();
        long[] bins = new long[BINS];
        for (double value : finite) {
            bins[
                    most > least
                            ? (int) Math.min(BINS - 1, (value / 2 - least / 2) / (most / 2 - least / 2) * BINS)
                            : 0]++;
        }
        facts = facts.with("min", number(least))
                .with("max", number(most))
                .with(
                        "mean",
                        number(Arrays.stream(finite).map(v -> v / finite.length).sum()))
                .with("histogram", Json.of(bins));
        Optional<Double> fill = fill(plane);
        if (fill.isPresent()) {
            long filled = Arrays.stream(values).filter(fill.get()::equals).count();
            facts = facts.with("fill_share", number((double) filled / values.length));
        }
        return facts;
    }

    /** Returns the fill value as its metadata spell it, if that is a number. */
    private static Optional<Double> fill(Plane plane) {
        Json text = plane.array().dataType().formatFill(plane.array().fillValue());
        try {
            return Optional.of(
                    text instanceof Json.Bool bit ? bit.value() ? 1.0 : 0.0 : Double.parseDouble(text.toString()));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Json number(double value) {
        return new Json.Num(Double.toString(value));
    }
}
