package dev.shardkit.pictures;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.UnsupportedException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The stored chunks or shards of an array as heat maps: stored inner chunks, size, ratio, unused bytes. Reads indexes,
 * and no chunk. Immutable.
 */
public final class HeatMap {
    private static final long MAX_CELLS = 4096;
    private static final int WIDTH = 360;
    private static final int MAX_SIDE = 28;

    private final ZarrArray array;
    private final long[] cells;
    private final List<StoredCell> stored;

    private HeatMap(ZarrArray array, long[] cells, List<StoredCell> stored) {
        this.array = array;
        this.cells = cells;
        this.stored = stored;
    }

    /**
     * Reads the indexes of all shards, or the sizes of all chunks.
     *
     * @throws UnsupportedException if there are more than 4096
     * @throws dev.shardkit.spi.error.ZarrException if an index cannot be read
     */
    public static HeatMap of(ZarrArray array) {
        long[] cells = array.storage().gridShape();
        BigInteger all = Shapes.exactCount(cells);
        if (all.compareTo(BigInteger.valueOf(MAX_CELLS)) > 0) {
            throw new UnsupportedException(
                    "the grid of the array has " + all + " chunks; a heat map shows at most " + MAX_CELLS);
        }
        long count = all.longValue();
        List<StoredCell> stored = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            stored.add(StoredCell.of(array, Shapes.unravel(i, cells)));
        }
        return new HeatMap(array, cells, List.copyOf(stored));
    }

    /** Returns the cells in C order. */
    public List<StoredCell> stored() {
        return stored;
    }

    /** Returns the bytes of all shards that belong to no inner chunk and no index. */
    public long unused() {
        return stored.stream()
                .flatMap(cell -> cell.shard().stream())
                .mapToLong(StoredCell.Shard::unused)
                .sum();
    }

    /** Returns a page with the heat maps of one array, which needs no other resource. */
    public String page() {
        return page(array.location());
    }

    /**
     * Returns such a page.
     *
     * @param name the name of the array in its title
     */
    public String page(String name) {
        HtmlPage html = new HtmlPage("Map of " + name);
        html.tag("p", HtmlPage.facts(array));
        html(html);
        return html.end();
    }

    /** Adds the maps to a page. */
    void html(HtmlPage html) {
        html.open("div class=\"maps\"");
        if (array.isSharded()) {
            map(html, "stored inner chunks", HeatMap::share, value -> percent(value));
        }
        map(html, "stored size", cell -> cell.size(), value -> HtmlPage.bytes((long) value));
        map(html, "ratio of raw to stored", HeatMap::ratio, value -> String.format(Locale.ROOT, "%.2f", value));
        if (unused() > 0) {
            map(html, "unused bytes", HeatMap::unused, value -> HtmlPage.bytes((long) value));
        }
        html.close("div");
    }

    private static double share(StoredCell cell) {
        return cell.shard()
                .map(shard -> (double) shard.stored() / Math.max(1, shard.innerChunks()))
                .orElse(0.0);
    }

    private static double ratio(StoredCell cell) {
        return cell.size() == 0 ? 0 : (double) cell.raw() / cell.size();
    }

    private static double unused(StoredCell cell) {
        return cell.shard().map(StoredCell.Shard::unused).orElse(0L);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * share);
    }

    /** Returns the text of a value. */
    private interface Text {
        String of(double value);
    }

    private void map(HtmlPage html, String title, ToDoubleFunction<StoredCell> measure, Text text) {
        int rank = cells.length;
        long columns = rank == 0 ? 1 : cells[rank - 1];
        long rows = stored.size() / Math.max(1, columns);
        long group = rank < 2 ? 1 : cells[rank - 2]; // rows of one plane
        int side = (int) Math.max(2, Math.min(MAX_SIDE, WIDTH / Math.max(1, columns)));
        double max = stored.stream().mapToDouble(measure).max().orElse(0);
        double min = stored.stream()
                .filter(cell -> cell.size() > 0)
                .mapToDouble(measure)
                .min()
                .orElse(0);
        long planes = rank < 3 ? 1 : rows / Math.max(1, group);
        html.open("figure");
        html.tag("figcaption", title + ": " + text.of(min) + " to " + text.of(max));
        html.open("svg width=\"" + columns * side + "\" height=\"" + (rows * side + (planes - 1) * 6)
                + "\" role=\"img\"");
        for (int i = 0; i < stored.size(); i++) {
            StoredCell cell = stored.get(i);
            double value = measure.applyAsDouble(cell);
            long row = i / columns;
            String colour = cell.size() == 0 ? "#eceef1" : colour(max > 0 ? value / max : 0);
            html.raw("<rect x=\"" + i % columns * side + "\" y=\"" + (row * side + row / group * (planes > 1 ? 6 : 0))
                    + "\" width=\"" + (side - 1) + "\" height=\"" + (side - 1) + "\" fill=\"" + colour + "\"><title>"
                    + HtmlPage.escaped(Arrays.toString(Shapes.unravel(i, cells)) + " " + cell.key() + ": "
                            + (cell.size() == 0 ? "not stored" : text.of(value)))
                    + "</title></rect>\n");
        }
        html.close("svg");
        html.close("figure");
    }

    private static String colour(double share) {
        byte[] palette = Colours.named("viridis").orElseThrow().palette();
        int at = 3 * (1 + (int) Math.round(Math.max(0, Math.min(1, share)) * 254));
        return String.format("#%02x%02x%02x", palette[at], palette[at + 1], palette[at + 2]);
    }
}
