package dev.shardkit.pictures;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.maintenance.layout.LayoutAdvice;
import dev.shardkit.maintenance.layout.LayoutAdvice.Layout;
import dev.shardkit.maintenance.tree.StorageSize;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.json.Json;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A suggestion how an array or group could be stored better, with the command that does it. Shown in the HTML report
 * ({@link Report}).
 *
 * @param change the change
 * @param reason the reason, with the figures
 * @param command the command that makes the change
 */
public record Advice(String change, String reason, String command) {
    private static final long KIB = 1 << 10;
    private static final long MIB = 1 << 20;
    /** Objects are small if their mean size is below this: the latency of a request then exceeds the transfer. */
    private static final long SMALL_OBJECT = 256 * KIB;
    /** Arrays with fewer objects than this get no advice to have larger objects. */
    private static final long MANY_OBJECTS = 256;
    // The limits of a good decoded size of chunks.
    private static final long SMALL_CHUNK = 16 * KIB;
    private static final long LARGE_CHUNK = 32 * MIB;
    /** Readers load arrays below this size as a whole. */
    private static final long TINY = 64 * KIB;

    /** If more than this share of the shards' bytes is unused, the advice is to compact them. */
    private static final double UNUSED_SHARE = 0.1;
    /** If the ratio of decoded to stored bytes is below this, the compression is considered useless. */
    private static final double NO_GAIN = 1.05;
    /** Matches the locations of arrays that shardkit cannot write: in files of other formats, or on web servers. */
    private static final String READ_ONLY = "(?s)(hdf5|b2nd|reference|https?):.*";

    private static final Set<String> COMPRESSORS =
            Set.of("zstd", "gzip", "blosc", "lz4", "zlib", "bz2", "lzma", "packbits", "lzf", "snappy");

    /**
     * A change that may be combined with others in one copy.
     *
     * @param description the change
     * @param reason the reason
     * @param options the options with which {@code shardkit copy} makes the change
     * @param command the command that makes the change in place; null if only a copy can make it
     */
    private record Change(
            String description,
            String reason,
            String options,
            @Nullable String command) {}

    /**
     * Returns the advice for an array. If one of the changes needs a copy of the array, the same copy can make all
     * changes, so they become one suggestion. Otherwise there is one suggestion for each change.
     *
     * @param url the name of the array in the commands
     * @param copy the name of a copy, to which a suffix is added
     * @param advisesTreeConversion whether other advice says to convert the whole tree that contains the array; the
     *     array then needs no advice to convert it
     * @param groups the names of the groups above whose consolidated metadata describe the array
     * @param size the stored size of the array
     * @param map the shards of the array; empty if there are too many
     */
    static List<Advice> of(
            ZarrArray array,
            String url,
            String copy,
            boolean advisesTreeConversion,
            List<String> groups,
            StorageSize size,
            Optional<HeatMap> map) {
        if (isCoordinate(array)) {
            return List.of();
        }
        List<Change> changes = new ArrayList<>();
        if (!advisesTreeConversion) {
            array.nodeFormat().ifPresent(format -> changes.add(conversion(format)));
        }
        layout(array, url, groups, size).ifPresent(changes::add);
        compression(array, size).ifPresent(changes::add);
        boolean needsCopy = changes.stream().anyMatch(change -> change.command() == null);
        List<Advice> all = new ArrayList<>();
        if (needsCopy) {
            all.add(new Advice(
                    changes.stream()
                            .map(Change::description)
                            .reduce((a, b) -> a + ", " + b.substring(0, 1).toLowerCase(Locale.ROOT) + b.substring(1))
                            .orElseThrow(),
                    changes.stream().map(Change::reason).collect(Collectors.joining(" ")),
                    "shardkit copy " + ShellWords.quoted(url) + " "
                            + target(copy, array.nodeFormat().isPresent() ? "v3" : "copy")
                            + changes.stream().map(Change::options).collect(Collectors.joining())));
        } else {
            changes.forEach(change -> all.add(new Advice(change.description(), change.reason(), change.command())));
        }
        map.filter(cells -> !needsCopy && !isFixed(array) && cells.unused() > UNUSED_SHARE * size.stored())
                .ifPresent(cells -> all.add(new Advice(
                        "Remove unused bytes",
                        String.format(
                                Locale.ROOT,
                                "%s of the shards (%.0f %%) belong to no inner chunk: they are left from changes.",
                                HtmlPage.bytes(cells.unused()),
                                100.0 * cells.unused() / size.stored()),
                        "shardkit compact " + ShellWords.quoted(url))));
        return List.copyOf(all);
    }

    private static Change conversion(String format) {
        return new Change(
                "Convert it to Zarr v3",
                "It is stored as " + format + ", which has no shards and which fewer programs read.",
                "",
                null);
    }

    /**
     * Returns the change to a better layout; empty if the layout is good. One command changes both the shape of chunks
     * and the shape of shards.
     *
     * @param groups see {@link #command(Layout, String, List)}
     */
    private static Optional<Change> layout(ZarrArray array, String url, List<String> groups, StorageSize size) {
        if (size.objects() < MANY_OBJECTS
                && size.raw()
                        .filter(raw -> raw.compareTo(BigInteger.valueOf(TINY)) < 0)
                        .isPresent()) {
            return Optional.empty(); // a few reads load it as a whole
        }
        Layout best = LayoutAdvice.of(array).layout();
        Optional<Reason> chunks = chunkReason(array);
        Optional<Reason> objects = objectReason(array, size, best);
        if (chunks.isEmpty() && objects.isEmpty()) {
            return Optional.empty();
        }
        String inPlace = chunks.isEmpty() && array.isSharded()
                ? consolidated("shardkit reshard " + ShellWords.quoted(url) + " --shard-shape auto", groups)
                : command(best, url, groups);
        List<Reason> reasons =
                Stream.of(objects, chunks).flatMap(Optional::stream).toList();
        return Optional.of(new Change(
                reasons.stream()
                        .map(Reason::description)
                        .reduce((a, b) -> a + " and " + b.replaceFirst("^Make", "make"))
                        .orElseThrow(),
                reasons.stream().map(Reason::reason).collect(Collectors.joining(" ")),
                options(best),
                isFixed(array) ? null : inPlace));
    }

    /** A change of a layout, such as larger shards, and the reason for it. */
    private record Reason(String description, String reason) {}

    /** Returns why the array should have fewer and larger objects; empty if they are few or large enough. */
    private static Optional<Reason> objectReason(ZarrArray array, StorageSize size, Layout best) {
        long mean = size.objects() == 0 ? 0 : size.stored() / size.objects();
        if (size.objects() < MANY_OBJECTS
                || mean >= SMALL_OBJECT
                || best.shardShape().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                array.isSharded()
                        ? new Reason(
                                "Make the shards larger",
                                size.objects() + " shards of " + HtmlPage.bytes(mean)
                                        + " on average are many small objects.")
                        : new Reason(
                                "Pack the chunks into shards",
                                size.objects() + " objects of " + HtmlPage.bytes(mean)
                                        + " on average: listing, copying and opening many small objects takes longer than"
                                        + " reading them."));
    }

    /**
     * Returns the command that gives an array a layout.
     *
     * @param groups the names of the groups above whose consolidated metadata describe the array. The layout cannot
     *     change while they do, so the command removes these metadata first and consolidates the groups afterwards
     */
    public static String command(Layout layout, String url, List<String> groups) {
        return consolidated("shardkit aggregate " + ShellWords.quoted(url) + options(layout), groups);
    }

    private static String options(Layout layout) {
        return " --chunk-shape " + words(layout.chunkShape()) + " --shard-shape "
                + layout.shardShape().map(Advice::words).orElse("none");
    }

    /**
     * Returns the command that gives an array a layout, in place if it can change there. Otherwise, as for a dataset of
     * HDF5 or an array of N5, the command makes a copy.
     *
     * @param groups see {@link #command(Layout, String, List)}
     */
    public static String command(ZarrArray array, Layout layout, String url, List<String> groups) {
        return isFixed(array)
                ? "shardkit copy " + ShellWords.quoted(url) + " " + target(url, "layout") + options(layout)
                : command(layout, url, groups);
    }

    /** Returns whether an array is a scalar or the coordinate of a dimension. Readers load such arrays as a whole. */
    private static boolean isCoordinate(ZarrArray array) {
        // the last part of the location; a coordinate has the name of its dimension
        String name = array.location().replaceFirst("(?s)/+$", "").replaceFirst("(?s)^.*[/!]", "");
        return array.shape().length == 0
                || array.shape().length == 1
                        && array.dimensionNames()
                                .map(names -> names.get(0).filter(name::equals).isPresent())
                                .orElse(false);
    }

    /**
     * Returns a name for a copy in the current folder: the last part of the URL without its extension, and a suffix.
     */
    private static String target(String url, String suffix) {
        String name = url.replaceFirst("(?s)[/!]+$", "")
                .replaceFirst("(?s)^.*[/!:\\\\]", "")
                .replaceFirst("[.][A-Za-z0-9]+$", "")
                .replaceAll("[^A-Za-z0-9._-]", "_");
        return (name.isEmpty() || name.startsWith("-") ? "copy" : name) + "-" + suffix + ".zarr";
    }

    /** Returns whether the layout of the array cannot change in place: shardkit writes only Zarr v3. */
    private static boolean isFixed(ZarrArray array) {
        return array.nodeFormat().isPresent() || array.location().matches(READ_ONLY);
    }

    /** Returns {@code change} between commands that remove and restore the consolidated metadata of {@code groups}. */
    private static String consolidated(String change, List<String> groups) {
        StringBuilder command = new StringBuilder();
        groups.forEach(group -> command.append("shardkit consolidate --remove ")
                .append(ShellWords.quoted(group))
                .append(" && "));
        command.append(change);
        groups.forEach(group -> command.append(" && shardkit consolidate ").append(ShellWords.quoted(group)));
        return command.toString();
    }

    /** Returns lengths as the value of an option. */
    private static String words(long[] lengths) {
        return Arrays.stream(lengths).mapToObj(String::valueOf).collect(Collectors.joining(","));
    }

    /** Returns why the chunks should be smaller or larger; empty if their size suits readers. */
    private static Optional<Reason> chunkReason(ZarrArray array) {
        OptionalInt element = array.dataType().elementSize();
        long bytes = element.isEmpty() ? -1 : Shapes.count(array.chunkShape()) * element.getAsInt();
        boolean isSingleChunk =
                Shapes.exactCount(array.storage().gridShape()).compareTo(BigInteger.ONE) <= 0 && !array.isSharded();
        if (bytes > LARGE_CHUNK) {
            return Optional.of(new Reason(
                    "Make the chunks smaller",
                    "A chunk is the smallest unit of a read, and one has " + HtmlPage.bytes(bytes)
                            + ": reading a single element decodes all of it."));
        } else if (bytes >= 0 && bytes < SMALL_CHUNK && !isSingleChunk) {
            return Optional.of(new Reason(
                    "Make the chunks larger",
                    "A chunk has " + HtmlPage.bytes(bytes) + " of elements: each costs an index entry or an object, and"
                            + " compresses badly on its own. 64 KiB to 1 MiB suit most readers."));
        }
        return Optional.empty();
    }

    /** Returns the change to a better compression; empty if the array is small or compresses well. */
    private static Optional<Change> compression(ZarrArray array, StorageSize size) {
        if (size.raw().isEmpty() || size.stored() < MIB) {
            return Optional.empty();
        }
        double ratio = size.raw().get().doubleValue() / size.stored();
        boolean compresses = compresses(
                MetadataWriter.document(array.metadata()).get("codecs").orElse(Json.object()));
        if (!compresses) {
            return Optional.of(new Change(
                    "Compress it",
                    HtmlPage.bytes(size.stored()) + " are stored without compression. zstd is fast to read and often"
                            + " halves the size.",
                    " --codecs zstd:3",
                    null));
        } else if (ratio < NO_GAIN) {
            return Optional.of(new Change(
                    "Choose another compression",
                    String.format(
                            Locale.ROOT,
                            "The codecs save %.1f %%. Noise does not compress; numbers often compress better after"
                                    + " a byte shuffle (blosc), or with fewer bits (bitround).",
                            Math.max(0, 100 - 100 / ratio)),
                    " --codecs blosc:zstd:5",
                    null));
        }
        return Optional.empty();
    }

    /** Returns whether the JSON of codecs contains a compressor, at the top or inside other codecs such as sharding. */
    private static boolean compresses(Json json) {
        if (json instanceof Json.Arr list) {
            return list.items().stream().anyMatch(Advice::compresses);
        } else if (json instanceof Json.Obj codec) {
            boolean isCompressor = codec.get("name")
                    .filter(Json.Str.class::isInstance)
                    .map(name -> ((Json.Str) name).value().replaceFirst("^numcodecs\\.", ""))
                    .filter(COMPRESSORS::contains)
                    .isPresent();
            return isCompressor || codec.members().values().stream().anyMatch(Advice::compresses);
        }
        return false;
    }

    /**
     * Returns the advice for the root of a tree.
     *
     * @param url the name of the root in the commands
     * @param nodes the number of nodes in the tree
     */
    static List<Advice> of(ZarrGroup root, String url, long nodes) {
        if (advisesConversion(root)) {
            return List.of(new Advice(
                    "Convert it to Zarr v3",
                    "It is stored as " + root.nodeFormat().orElseThrow()
                            + ", which has no shards and which fewer programs read.",
                    "shardkit convert " + ShellWords.quoted(url) + " " + target(url, "v3")));
        }
        boolean isV3 = root.nodeFormat().isEmpty() && !root.location().matches(READ_ONLY);
        return isV3 && nodes > 1 && root.metadata().consolidated().isEmpty()
                ? List.of(new Advice(
                        "Consolidate the metadata",
                        "Opening the tree over HTTP takes a request for each of its " + nodes
                                + " nodes, and a web server cannot list them. Consolidated metadata is one request.",
                        "shardkit consolidate " + ShellWords.quoted(url)))
                : List.of();
    }

    /**
     * Returns whether the advice for a tree is to convert it to Zarr v3, because its root is a group of another format.
     */
    static boolean advisesConversion(ZarrNode root) {
        return root instanceof ZarrGroup && root.nodeFormat().isPresent();
    }
}
