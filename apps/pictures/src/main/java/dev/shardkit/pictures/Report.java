package dev.shardkit.pictures;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.maintenance.Statistics;
import dev.shardkit.maintenance.StorageSize;
import dev.shardkit.metadata.JsonDocuments;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.ZarrException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A report about an array or a tree as one page without outside resources: tree, sizes, pictures, histograms, heat maps
 * of the shards, metadata, and what to improve. Reads the elements of small arrays, and of large ones the middle.
 */
public final class Report {
    private static final int MOST_DETAILS = 40;
    private static final long MOST_ELEMENTS = 1 << 26;
    private static final int PICTURE = 384;
    private static final int BAR_HEIGHT = 70;
    private static final int BAR_WIDTH = 360;

    private final ZarrNode root;
    private final String name;
    private final List<Entry> entries = new ArrayList<>();

    /** A node, or the reason why it cannot be opened or measured. */
    private record Entry(
            String path,
            @Nullable ZarrNode node,
            @Nullable StorageSize size,
            @Nullable String error) {}

    private Report(ZarrNode root, String name) {
        this.root = root;
        this.name = name;
    }

    /**
     * Returns the page, in HTML, with the location of the root as its name.
     *
     * @throws ZarrException if the root cannot be read; other failures are part of the report
     */
    public static String of(ZarrNode root) {
        return of(root, root.location());
    }

    /**
     * Returns the page, in HTML.
     *
     * @param name the name of the root in the title and in commands, such as the path that a user typed
     * @throws ZarrException if the root cannot be read; other failures are part of the report
     */
    public static String of(ZarrNode root, String name) {
        Report report = new Report(root, name);
        report.collect(root, "/");
        return report.page();
    }

    private void collect(ZarrNode node, String path) {
        if (node instanceof ZarrArray array) {
            try {
                entries.add(new Entry(path, array, StorageSize.of(array), null));
            } catch (ZarrException e) {
                entries.add(new Entry(path, null, null, e.fact()));
            }
            return;
        }
        entries.add(new Entry(path, node, null, null));
        ZarrGroup group = (ZarrGroup) node;
        for (String name : group.childNames()) {
            String child = StoreKeys.location(path, name);
            try {
                group.find(name).ifPresent(found -> collect(found, child));
            } catch (ZarrException e) {
                entries.add(new Entry(child, null, null, e.fact()));
            }
        }
    }

    private String page() {
        Html html = new Html(name);
        summary(html);
        if (root instanceof ZarrGroup group) {
            advice(html, "The tree", Advice.of(group, name, entries.size()));
        }
        tree(html);
        List<Entry> arrays =
                entries.stream().filter(e -> e.node() instanceof ZarrArray).toList();
        arrays.stream().limit(MOST_DETAILS).forEach(entry -> array(html, entry));
        if (arrays.size() > MOST_DETAILS) {
            html.tag("p", "Details of the first " + MOST_DETAILS + " of " + arrays.size() + " arrays.");
        }
        return html.end();
    }

    private void summary(Html html) {
        long stored = 0;
        long objects = 0;
        BigInteger raw = BigInteger.ZERO;
        long arrays = 0;
        for (Entry entry : entries) {
            if (entry.size() != null) {
                arrays++;
                stored += entry.size().stored();
                objects += entry.size().objects();
                raw = raw.add(entry.size().raw().orElse(BigInteger.ZERO));
            }
        }
        html.open("div class=\"cards\"");
        card(html, String.valueOf(arrays), arrays == 1 ? "array" : "arrays");
        card(html, String.valueOf(objects), "stored chunks");
        card(html, Html.bytes(stored), "stored");
        card(html, Html.bytes(raw.doubleValue()), "without encoding");
        card(html, ratio(raw, stored), "ratio");
        html.close("div");
    }

    private static void card(Html html, String value, String name) {
        html.open("div class=\"card\"");
        html.tag("b", value);
        html.tag("span", name);
        html.close("div");
    }

    private static String ratio(BigInteger raw, long stored) {
        return stored == 0 || raw.signum() == 0 ? "-" : String.format(Locale.ROOT, "%.2f", raw.doubleValue() / stored);
    }

    private void tree(Html html) {
        if (!(root instanceof ZarrGroup)) {
            return;
        }
        long most = entries.stream()
                .mapToLong(e -> e.size() == null ? 0 : e.size().stored())
                .max()
                .orElse(0);
        html.open("section");
        html.tag("h2", "Tree");
        html.open("table");
        html.row("th", "node", "type", "stored", "raw", "ratio", "chunks", "");
        for (Entry entry : entries) {
            html.open("tr");
            int depth = entry.path().length() == 1
                    ? 0
                    : (int) entry.path().chars().filter(c -> c == '/').count();
            html.raw(
                    "<td style=\"padding-left:" + (depth * 1.2 + .6) + "rem\">" + Html.escaped(entry.path()) + "</td>");
            if (entry.error() != null) {
                html.tag("td class=\"error\" colspan=\"6\"", entry.error());
            } else if (entry.size() == null) {
                html.raw("<td>group</td><td></td><td></td><td></td><td></td><td></td>");
            } else {
                cells(html, (ZarrArray) entry.node(), entry.size(), most);
            }
            html.close("tr");
        }
        html.close("table");
        html.close("section");
    }

    private static void cells(Html html, @Nullable ZarrArray array, StorageSize size, long most) {
        html.tag("td", array == null ? "" : array.dataType().name());
        html.tag("td", Html.bytes(size.stored()));
        html.tag("td", size.raw().map(raw -> Html.bytes(raw.doubleValue())).orElse("-"));
        html.tag("td", ratio(size.raw().orElse(BigInteger.ZERO), size.stored()));
        html.tag("td", String.valueOf(size.objects()));
        html.raw("<td><div class=\"bar\"><i style=\"width:" + (most == 0 ? 0 : 100 * size.stored() / most)
                + "%\"></i></div></td>");
    }

    private void array(Html html, Entry entry) {
        ZarrArray array = (ZarrArray) entry.node();
        StorageSize size = entry.size();
        if (array == null || size == null) {
            return;
        }
        html.open("section");
        html.tag("h2", entry.path().length() == 1 ? "The array" : entry.path());
        html.tag(
                "p",
                Html.facts(array) + "; " + Html.bytes(size.stored()) + " in " + size.objects() + " objects, ratio "
                        + ratio(size.raw().orElse(BigInteger.ZERO), size.stored()));
        @Nullable HeatMap map = null;
        try {
            map = HeatMap.of(array);
        } catch (ZarrException e) {
            html.tag("p class=\"error\"", e.fact());
        }
        list(
                html,
                Advice.of(
                        array,
                        name + (entry.path().length() == 1 ? "" : entry.path()),
                        size,
                        Optional.ofNullable(map)));
        html.open("div class=\"array\"");
        html.open("div");
        picture(html, array);
        html.close("div");
        html.open("div");
        statistics(html, array);
        html.close("div");
        html.close("div");
        if (map != null) {
            html.tag("h3", array.isSharded() ? "Shards" : "Chunks");
            map.html(html);
        }
        html.raw("<h3></h3><details><summary>Metadata</summary>");
        html.tag("pre", JsonDocuments.text(MetadataWriter.document((NodeMetadata) array.metadata())));
        html.raw("</details>");
        html.close("section");
    }

    private static void advice(Html html, String title, List<Advice> advice) {
        if (!advice.isEmpty()) {
            html.open("section");
            html.tag("h2", title);
            list(html, advice);
            html.close("section");
        }
    }

    private static void list(Html html, List<Advice> advice) {
        if (advice.isEmpty()) {
            return;
        }
        html.open("ul class=\"advice\"");
        for (Advice item : advice) {
            html.raw("<li><b>" + Html.escaped(item.what()) + ".</b> " + Html.escaped(item.why()) + " <code>"
                    + Html.escaped(item.how()) + "</code></li>\n");
        }
        html.close("ul");
    }

    /** Returns the array, or its middle if it is large. */
    private static Box middle(ZarrArray array, long most) {
        long[] shape = array.shape();
        long[] origin = new long[shape.length];
        for (int d = 0; d < shape.length; d++) {
            double count = 1;
            for (long n : shape) {
                count *= n;
            }
            if (count > most) {
                long length = (long) Math.max(1, shape[d] / Math.ceil(count / most));
                origin[d] = (shape[d] - length) / 2;
                shape[d] = length;
            }
        }
        return Box.of(origin, shape);
    }

    private static void picture(Html html, ZarrArray array) {
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        try {
            Preview.of(array, PICTURE).within(middle(array, 4 * MOST_ELEMENTS)).write(png);
            html.raw("<img class=\"picture\" alt=\"picture\" src=\"data:image/png;base64,"
                    + Base64.getEncoder().encodeToString(png.toByteArray()) + "\">\n");
        } catch (ZarrException | ArithmeticException e) {
            html.tag("p", "No picture: " + (e instanceof ZarrException z ? z.fact() : "the array is too large"));
        } catch (IOException e) {
            throw new AssertionError("writing to memory failed", e);
        }
    }

    private static void statistics(Html html, ZarrArray array) {
        try {
            Box part = middle(array, MOST_ELEMENTS);
            Statistics.Result result =
                    Statistics.of(array).withBins(64).within(part).run();
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
            });
            html.close("table");
            result.numbers().ifPresent(numbers -> histogram(html, numbers.histogram()));
        } catch (ZarrException e) {
            html.tag("p class=\"error\"", e.fact());
        }
    }

    private static void histogram(Html html, List<Statistics.Bin> bins) {
        if (bins.isEmpty()) {
            return;
        }
        double most = bins.stream().mapToLong(Statistics.Bin::count).max().orElse(1);
        double width = (double) BAR_WIDTH / bins.size();
        html.tag("h3", "Histogram");
        html.open("svg viewBox=\"0 0 " + BAR_WIDTH + " " + BAR_HEIGHT + "\" width=\"100%\" role=\"img\"");
        for (int i = 0; i < bins.size(); i++) {
            Statistics.Bin bin = bins.get(i);
            double height = bin.count() == 0 ? 0 : Math.max(1, bin.count() / most * BAR_HEIGHT);
            html.raw(String.format(
                    Locale.ROOT,
                    "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#2f6fb0\"><title>%s</title>"
                            + "</rect>%n",
                    i * width,
                    BAR_HEIGHT - height,
                    Math.max(.5, width - .8),
                    height,
                    bin.from() + " to " + bin.to() + ": " + bin.count()));
        }
        html.close("svg");
    }
}
