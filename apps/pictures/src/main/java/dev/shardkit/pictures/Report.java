package dev.shardkit.pictures;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.maintenance.tree.StorageSize;
import dev.shardkit.metadata.JsonDocuments;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A report about an array or a tree as one HTML page that loads nothing from elsewhere. It shows the tree, sizes,
 * pictures, histograms, heat maps of the shards, metadata, and advice. The report reads all elements of small arrays,
 * and those in the middle of large ones.
 */
public final class Report {
    /** The maximum number of arrays with a section of their own. */
    private static final int MAX_DETAILS = 40;
    /** The attributes of CF whose value names coordinates, separated by spaces. */
    private static final List<String> NAMING = List.of("coordinates", "bounds", "climatology");

    private final ZarrNode root;
    private final String name;
    private final UnaryOperator<String> wording;
    private final List<Entry> entries = new ArrayList<>();

    /** A node, or the reason why it cannot be opened or measured. Only arrays have a size. */
    private record Entry(
            String path,
            @Nullable ZarrNode node,
            @Nullable StorageSize size,
            @Nullable String error) {}

    private Report(ZarrNode root, String name, UnaryOperator<String> wording) {
        this.root = root;
        this.name = name;
        this.wording = wording;
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
        return of(root, name, message -> message);
    }

    /**
     * Returns the page, in HTML, with the messages of errors in the words of an application.
     *
     * @param name the name of the root in the title and in commands, such as the path that a user typed
     * @param wording translates the message of an error, which names options of the Java API, to the text on the page
     * @throws ZarrException if the root cannot be read; other failures are part of the report
     */
    public static String of(ZarrNode root, String name, UnaryOperator<String> wording) {
        Report report = new Report(root, name, wording);
        report.collect(root, "/");
        return report.page();
    }

    /** Adds an entry for a node and for each node below it. */
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
        HtmlPage html = new HtmlPage(name, wording);
        summary(html);
        tree(html);
        List<Entry> arrays =
                entries.stream().filter(e -> e.node() instanceof ZarrArray).toList();
        Set<String> coordinates = coordinates();
        arrays.stream().limit(MAX_DETAILS).forEach(entry -> array(html, entry, coordinates));
        if (arrays.size() > MAX_DETAILS) {
            html.tag("p", "Details of the first " + MAX_DETAILS + " of " + arrays.size() + " arrays.");
        }
        // This advice comes after that for arrays, because layouts cannot change once the metadata are consolidated.
        if (root instanceof ZarrGroup group) {
            advice(html, "The tree", Advice.of(group, name, entries.size()));
        }
        return html.end();
    }

    /**
     * Returns the paths of the arrays that the attributes of other nodes name as coordinates or as bounds of
     * coordinates (CF conventions, "Auxiliary coordinate variables", "Cell boundaries").
     */
    private Set<String> coordinates() {
        Set<String> known = new HashSet<>();
        entries.forEach(entry -> known.add(entry.path()));
        Set<String> found = new HashSet<>();
        for (Entry entry : entries) {
            if (entry.node() != null) {
                String group = entry.node() instanceof ZarrGroup ? entry.path() : StoreKeys.parent(entry.path());
                Json.Obj attributes = entry.node().attributes();
                for (String attribute : NAMING) {
                    // A missing attribute names nothing. The default is an object, which is no string.
                    if (attributes.get(attribute).orElse(attributes) instanceof Json.Str names) {
                        for (String name : names.value().strip().split("\\s+")) {
                            nearest(known, group, name).ifPresent(found::add);
                        }
                    }
                }
            }
        }
        return found;
    }

    /**
     * Returns the path of a variable that a node in {@code group} names. The variable lies in that group or in the
     * nearest group above; empty if there is none.
     */
    private static Optional<String> nearest(Set<String> known, String group, String name) {
        String at = name.startsWith("/") ? "" : group;
        while (true) {
            String path = StoreKeys.location(at.isEmpty() ? "/" : at, name.replaceFirst("^/+", ""));
            if (known.contains(path)) {
                return Optional.of(path);
            } else if (at.length() <= 1) {
                return Optional.empty();
            }
            at = StoreKeys.parent(at);
        }
    }

    /** Returns a name for a copy of a node. Copies of different nodes get different names. */
    private String copyName(String path) {
        return path.length() == 1
                ? name
                : name.replaceFirst("[/!]+$", "").replaceFirst("[.][A-Za-z0-9]+$", "") + path.replace('/', '-');
    }

    /** Returns the location of a node of the tree. Paths inside a file follow an exclamation mark. */
    private String url(ZarrNode node, String path) {
        boolean beginsInside = !name.contains("!") && node.location().matches("(?s)(hdf5|zip):.*");
        return path.length() == 1 ? name : beginsInside ? name + "!" + path.substring(1) : name + path;
    }

    private void summary(HtmlPage html) {
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
        card(html, HtmlPage.bytes(stored), "stored");
        card(html, HtmlPage.bytes(raw.doubleValue()), "without encoding");
        card(html, ratio(raw, stored), "ratio");
        html.close("div");
    }

    private static void card(HtmlPage html, String value, String name) {
        html.open("div class=\"card\"");
        html.tag("b", value);
        html.tag("span", name);
        html.close("div");
    }

    private static String ratio(BigInteger raw, long stored) {
        return stored == 0 || raw.signum() == 0 ? "-" : String.format(Locale.ROOT, "%.2f", raw.doubleValue() / stored);
    }

    /** Writes the table of all nodes, unless the root is an array. */
    private void tree(HtmlPage html) {
        if (!(root instanceof ZarrGroup)) {
            return;
        }
        long max = entries.stream()
                .mapToLong(e -> e.size() == null ? 0 : e.size().stored())
                .max()
                .orElse(0);
        html.open("section");
        html.tag("h2", "Tree");
        html.open("table");
        html.row("th", "node", "type", "stored", "unencoded", "ratio", "chunks", "");
        for (Entry entry : entries) {
            html.open("tr");
            int depth = entry.path().length() == 1
                    ? 0
                    : (int) entry.path().chars().filter(c -> c == '/').count();
            html.raw("<td style=\"padding-left:" + (depth * 1.2 + .6) + "rem\">" + HtmlPage.escaped(entry.path())
                    + "</td>");
            if (entry.error() != null) {
                html.error("td colspan=\"6\"", entry.error());
            } else if (entry.size() == null) {
                html.raw("<td>group</td><td></td><td></td><td></td><td></td><td></td>");
            } else {
                cells(html, (ZarrArray) entry.node(), entry.size(), max);
            }
            html.close("tr");
        }
        html.close("table");
        html.close("section");
    }

    /**
     * Writes the cells of an array in the table of nodes.
     *
     * @param max the maximum stored size of an array, which has the longest bar
     */
    private static void cells(HtmlPage html, @Nullable ZarrArray array, StorageSize size, long max) {
        html.tag("td", array == null ? "" : array.dataType().name());
        html.tag("td", HtmlPage.bytes(size.stored()));
        html.tag("td", size.raw().map(raw -> HtmlPage.bytes(raw.doubleValue())).orElse("-"));
        html.tag("td", ratio(size.raw().orElse(BigInteger.ZERO), size.stored()));
        html.tag("td", String.valueOf(size.objects()));
        html.raw("<td><div class=\"bar\"><i style=\"width:" + (max == 0 ? 0 : 100 * size.stored() / max)
                + "%\"></i></div></td>");
    }

    /**
     * Returns the names of the groups of this tree whose consolidated metadata describe the node at {@code path}, the
     * innermost first.
     */
    private List<String> consolidated(String path) {
        List<String> groups = new ArrayList<>();
        for (Entry entry : entries) {
            String above = entry.path().length() == 1 ? entry.path() : entry.path() + "/";
            if (entry.node() instanceof ZarrGroup group && path.startsWith(above)) {
                group.metadata()
                        .consolidated()
                        .filter(all -> all.containsKey(path.substring(above.length())))
                        .ifPresent(all -> groups.add(0, url(group, entry.path())));
            }
        }
        return groups;
    }

    private void array(HtmlPage html, Entry entry, Set<String> coordinates) {
        ZarrArray array = (ZarrArray) entry.node();
        StorageSize size = entry.size();
        if (array == null || size == null) {
            return;
        }
        html.open("section");
        html.tag("h2", entry.path().length() == 1 ? "The array" : entry.path());
        html.tag(
                "p",
                HtmlPage.facts(array) + "; " + HtmlPage.bytes(size.stored()) + " in " + size.objects()
                        + " objects, ratio " + ratio(size.raw().orElse(BigInteger.ZERO), size.stored()));
        @Nullable HeatMap map = null;
        try {
            map = HeatMap.of(array);
        } catch (ZarrException e) {
            html.error("p", e.fact());
        }
        if (!coordinates.contains(entry.path())) { // coordinates get no advice, because readers load them as a whole
            list(
                    html,
                    Advice.of(
                            array,
                            url(array, entry.path()),
                            copyName(entry.path()),
                            Advice.advisesConversion(root),
                            consolidated(entry.path()),
                            size,
                            Optional.ofNullable(map)));
        }
        html.open("div class=\"array\"");
        html.open("div");
        ArrayFigures.picture(html, array);
        html.close("div");
        html.open("div");
        ArrayFigures.statistics(html, array);
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

    private static void advice(HtmlPage html, String title, List<Advice> advice) {
        if (!advice.isEmpty()) {
            html.open("section");
            html.tag("h2", title);
            list(html, advice);
            html.close("section");
        }
    }

    private static void list(HtmlPage html, List<Advice> advice) {
        if (advice.isEmpty()) {
            return;
        }
        html.open("ul class=\"advice\"");
        for (Advice item : advice) {
            html.raw("<li><b>" + HtmlPage.escaped(item.change()) + ".</b> " + HtmlPage.escaped(item.reason())
                    + " <code>" + HtmlPage.escaped(item.command()) + "</code></li>\n");
        }
        html.close("ul");
    }
}
