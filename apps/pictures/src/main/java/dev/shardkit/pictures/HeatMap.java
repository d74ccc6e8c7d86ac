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
 * Heat maps of an array as HTML. A map is a grid of cells, one for each shard, or for each chunk of an array without
 * shards. The colour of a cell shows the number of stored inner chunks, the stored size, the compression ratio or the
 * unused bytes. Reads the indexes of shards, but no elements. Immutable.
 */
public final class HeatMap {
    /** The maximum number of cells of a map. */
    private static final long MAX_CELLS = 4096;
    /** The intended width of a map in pixels. The limits of a cell's side may make the map narrower or wider. */
    private static final int WIDTH = 360;
    // The side of a cell, and the gap between two planes, in pixels.
    private static final int MIN_SIDE = 2;
    private static final int MAX_SIDE = 28;
    private static final int PLANE_GAP = 6;

    private final ZarrArray array;
    /** The shape of the chunk grid. */
    private final long[] cells;

    /** All cells of the grid in C order. */
    private final List<StoredCell> stored;

    private HeatMap(ZarrArray array, long[] cells, List<StoredCell> stored) {
        this.array = array;
        this.cells = cells;
        this.stored = stored;
    }

    /**
     * Reads the indexes of all shards, or the sizes of all chunks.
     *
     * @throws UnsupportedException if the grid has more than 4096 chunks or shards
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

    /** Returns all cells of the chunk grid in C order. */
    public List<StoredCell> stored() {
        return stored;
    }

    /** Returns the number of bytes in all shards that belong neither to an inner chunk nor to an index. */
    public long unused() {
        return stored.stream()
                .flatMap(cell -> cell.shard().stream())
                .mapToLong(StoredCell.Shard::unused)
                .sum();
    }

    /** Returns an HTML page with the heat maps, which needs no other resource. */
    public String page() {
        return page(array.location());
    }

    /**
     * Returns an HTML page with the heat maps, which needs no other resource.
     *
     * @param name the name of the array in the title of the page
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

    /** Returns the share of a shard's inner chunks that are stored. */
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

    /** Formats a value of a cell. */
    private interface Text {
        String of(double value);
    }

    /**
     * Adds one map.
     *
     * @param measure returns the value of a cell, which decides its colour
     * @param text formats the value for the tooltip and the caption
     */
    private void map(HtmlPage html, String title, ToDoubleFunction<StoredCell> measure, Text text) {
        int rank = cells.length;
        long columns = rank == 0 ? 1 : cells[rank - 1];
        long rows = stored.size() / Math.max(1, columns); // of all planes, which are drawn below one another
        long planeRows = rank < 2 ? 1 : cells[rank - 2];
        int side = (int) Math.max(MIN_SIDE, Math.min(MAX_SIDE, WIDTH / Math.max(1, columns)));
        double max = stored.stream().mapToDouble(measure).max().orElse(0);
        double min = stored.stream()
                .filter(cell -> cell.size() > 0)
                .mapToDouble(measure)
                .min()
                .orElse(0);
        long planes = rank < 3 ? 1 : rows / Math.max(1, planeRows);
        html.open("figure");
        html.tag("figcaption", title + ": " + text.of(min) + " to " + text.of(max));
        html.open("svg width=\"" + columns * side + "\" height=\"" + (rows * side + (planes - 1) * PLANE_GAP)
                + "\" role=\"img\"");
        for (int i = 0; i < stored.size(); i++) {
            StoredCell cell = stored.get(i);
            double value = measure.applyAsDouble(cell);
            long row = i / columns;
            String colour = cell.size() == 0 ? "#eceef1" : colour(max > 0 ? value / max : 0);
            long gaps = planes > 1 ? row / planeRows * PLANE_GAP : 0;
            html.raw("<rect x=\"" + i % columns * side + "\" y=\"" + (row * side + gaps) + "\" width=\"" + (side - 1)
                    + "\" height=\"" + (side - 1) + "\" fill=\"" + colour + "\"><title>"
                    + HtmlPage.escaped(Arrays.toString(Shapes.unravel(i, cells)) + " " + cell.key() + ": "
                            + (cell.size() == 0 ? "not stored" : text.of(value)))
                    + "</title></rect>\n");
        }
        html.close("svg");
        html.close("figure");
    }

    /**
     * Returns the colour of a value from 0 to 1, as HTML writes it. Skips colour 0 of the palette, which is
     * transparent.
     */
    private static String colour(double share) {
        byte[] palette = Colours.named("viridis").orElseThrow().palette();
        int offset = 3 * (1 + (int) Math.round(Math.max(0, Math.min(1, share)) * 254));
        return String.format("#%02x%02x%02x", palette[offset], palette[offset + 1], palette[offset + 2]);
    }
}
