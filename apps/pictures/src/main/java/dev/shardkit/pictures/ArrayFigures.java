package dev.shardkit.pictures;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.stats.Statistics;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.ZarrException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

/** Adds the picture, the statistics and the histogram of one array to the page of a {@link Report}. Without state. */
final class ArrayFigures {
    /** The maximum number of elements that the statistics read. */
    private static final long MAX_ELEMENTS = 1 << 26;
    /** The longer side of the picture, in pixels. */
    private static final int PICTURE_SIZE = 384;
    // The size of the histogram, in units of its SVG picture.
    private static final int HISTOGRAM_HEIGHT = 70;
    private static final int HISTOGRAM_WIDTH = 360;

    private ArrayFigures() {}

    /** Returns the whole array, or a box in its middle of about {@code maxElements} if the array has more. */
    private static Box middle(ZarrArray array, long maxElements) {
        long[] shape = array.shape();
        long[] origin = new long[shape.length];
        for (int d = 0; d < shape.length; d++) {
            double count = 1; // of the box so far, which has its full length in the dimensions from d on
            for (long boxLength : shape) {
                count *= boxLength;
            }
            if (count > maxElements) {
                long length = (long) Math.max(1, shape[d] / Math.ceil(count / maxElements));
                origin[d] = (shape[d] - length) / 2;
                shape[d] = length;
            }
        }
        return Box.of(origin, shape);
    }

    /** Adds a preview. */
    static void picture(HtmlPage html, ZarrArray array) {
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        try {
            Preview.of(array, PICTURE_SIZE)
                    .within(middle(array, 4 * MAX_ELEMENTS))
                    .write(png);
            html.raw("<img class=\"picture\" alt=\"picture\" src=\"data:image/png;base64,"
                    + Base64.getEncoder().encodeToString(png.toByteArray()) + "\">\n");
        } catch (ZarrException | ArithmeticException e) {
            String reason = e instanceof ZarrException failure ? failure.fact() : "the array is too large";
            html.tag("p", "No picture: " + reason);
        } catch (IOException e) {
            throw new AssertionError("writing to memory failed", e);
        }
    }

    /** Adds a table of statistics and a histogram. */
    static void statistics(HtmlPage html, ZarrArray array) {
        try {
            Box part = middle(array, MAX_ELEMENTS);
            Statistics statistics = Statistics.of(array).withBins(64).within(part);
            Statistics.Result result = statistics.run();
            html.open("table");
            html.row("td", "elements", String.valueOf(result.elements()));
            if (!part.equals(array.domain())) {
                html.row("td", "of the middle", part.toString());
            }
            html.row(
                    "td",
                    "fill value",
                    String.format(Locale.ROOT, "%.1f %%", 100.0 * result.fill() / Math.max(1, result.elements())));
            result.numbers().ifPresent(numbers -> {
                numbers.min().ifPresent(min -> html.row("td", "minimum", min.toString()));
                numbers.max().ifPresent(max -> html.row("td", "maximum", max.toString()));
                numbers.mean().ifPresent(mean -> html.row("td", "mean", String.format(Locale.ROOT, "%.6g", mean)));
                if (numbers.nans() > 0) {
                    html.row("td", "NaN", String.valueOf(numbers.nans()));
                }
                if (numbers.missing() > 0) {
                    html.row("td", "missing (_FillValue)", String.valueOf(numbers.missing()));
                }
            });
            if (!result.notApplied().isEmpty()) {
                html.row("td", "not applied", String.join(", ", result.notApplied()) + " (values are stored numbers)");
            }
            html.close("table");
            result.numbers().ifPresent(numbers -> histogram(html, numbers.histogram()));
        } catch (ZarrException e) {
            html.error("p", e.fact());
        }
    }

    private static void histogram(HtmlPage html, List<Statistics.Bin> bins) {
        if (bins.isEmpty()) {
            return;
        }
        double maxCount = bins.stream().mapToLong(Statistics.Bin::count).max().orElse(1);
        double barWidth = (double) HISTOGRAM_WIDTH / bins.size();
        html.tag("h3", "Histogram");
        html.open("svg viewBox=\"0 0 " + HISTOGRAM_WIDTH + " " + HISTOGRAM_HEIGHT + "\" width=\"100%\" role=\"img\"");
        for (int i = 0; i < bins.size(); i++) {
            Statistics.Bin bin = bins.get(i);
            double barHeight = bin.count() == 0 ? 0 : Math.max(1, bin.count() / maxCount * HISTOGRAM_HEIGHT);
            html.raw(String.format(
                    Locale.ROOT,
                    "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#2f6fb0\"><title>%s</title>"
                            + "</rect>%n",
                    i * barWidth,
                    HISTOGRAM_HEIGHT - barHeight,
                    Math.max(.5, barWidth - .8), // with a gap to the next bar
                    barHeight,
                    bin.from() + " to " + bin.to() + ": " + bin.count()));
        }
        html.close("svg");
    }
}
