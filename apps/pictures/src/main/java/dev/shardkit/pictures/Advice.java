package dev.shardkit.pictures;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
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
import org.jspecify.annotations.Nullable;

/**
 * A possible improvement of how an array or group is stored.
 *
 * @param what the change
 * @param why the reason, with the figures
 * @param how the command that makes the change
 */
public record Advice(String what, String why, String how) {
    private static final long KIB = 1 << 10;
    private static final long MIB = 1 << 20;
    private static final long SMALL_OBJECT = 256 * KIB;
    private static final long MANY_OBJECTS = 256;
    private static final long SMALL_CHUNK = 16 * KIB;
    private static final long LARGE_CHUNK = 32 * MIB;
    private static final double UNUSED_SHARE = 0.1;
    private static final double NO_GAIN = 1.05;
    /** The locations of arrays in files of other formats, and on web servers. */
    private static final String READ_ONLY = "(?s)(hdf5|b2nd|reference|https?):.*";

    private static final Set<String> COMPRESSORS =
            Set.of("zstd", "gzip", "blosc", "lz4", "zlib", "bz2", "lzma", "packbits", "lzf", "snappy");

    /**
     * Returns the advice for an array.
     *
     * @param url the name of the array in the commands
     * @param groups the names of the groups above whose consolidated metadata describe the array
     * @param size its stored size
     * @param map its shards; empty if there are too many
     */
    public static List<Advice> of(
            ZarrArray array, String url, List<String> groups, StorageSize size, Optional<HeatMap> map) {
        if (isCoordinate(array)) {
            return List.of();
        }
        List<Advice> all = new ArrayList<>();
        Layout best = LayoutAdvice.of(array).layout();
        array.nodeFormat()
                .ifPresent(format -> all.add(new Advice(
                        "Convert it to Zarr v3",
                        "It is stored as " + format + ", which has no shards and which fewer programs read.",
                        "shardkit convert " + ShellWords.quoted(url) + " " + target(url, "v3"))));
        long mean = size.objects() == 0 ? 0 : size.stored() / size.objects();
        boolean isSmall = size.objects() >= MANY_OBJECTS
                && mean < SMALL_OBJECT
                && best.shardShape().isPresent();
        if (!array.isSharded() && isSmall) {
            all.add(new Advice(
                    "Pack the chunks into shards",
                    size.objects() + " objects of " + Html.bytes(mean)
                            + " on average: listing, copying and opening many small objects takes longer than"
                            + " reading them.",
                    command(array, best, url, groups)));
        } else if (array.isSharded() && isSmall) {
            all.add(new Advice(
                    "Make the shards larger",
                    size.objects() + " shards of " + Html.bytes(mean) + " on average are many small objects.",
                    isFixed(array)
                            ? command(array, best, url, groups)
                            : consolidated(
                                    "shardkit reshard " + ShellWords.quoted(url) + " --shard-shape auto", groups)));
        }
        chunk(array, command(array, best, url, groups)).ifPresent(all::add);
        compression(array, size, url).ifPresent(all::add);
        map.filter(cells -> !isFixed(array) && cells.unused() > UNUSED_SHARE * size.stored())
                .ifPresent(cells -> all.add(new Advice(
                        "Remove unused bytes",
                        String.format(
                                Locale.ROOT,
                                "%s of the shards (%.0f %%) belong to no inner chunk: they are left from changes.",
                                Html.bytes(cells.unused()),
                                100.0 * cells.unused() / size.stored()),
                        "shardkit compact " + ShellWords.quoted(url))));
        return List.copyOf(all);
    }

    /**
     * Returns the command that gives an array a layout.
     *
     * @param groups the names of the groups above whose consolidated metadata describe the array. The layout cannot
     *     change while they do, so the command removes these metadata first and consolidates the groups afterwards
     */
    public static String command(Layout layout, String url, List<String> groups) {
        String change = "shardkit aggregate " + ShellWords.quoted(url) + " --chunk-shape " + words(layout.chunkShape())
                + " --shard-shape " + layout.shardShape().map(Advice::words).orElse("none");
        return consolidated(change, groups);
    }

    /**
     * Returns the command that gives an array a layout, in place if it can change there. Otherwise, as for a dataset of
     * HDF5 or an array of N5, the command makes a copy.
     *
     * @param groups see {@link #command(Layout, String, List)}
     */
    public static String command(ZarrArray array, Layout layout, String url, List<String> groups) {
        return isFixed(array)
                ? "shardkit copy " + ShellWords.quoted(url) + " " + target(url, "layout") + " --chunk-shape "
                        + words(layout.chunkShape())
                        + " --shard-shape "
                        + layout.shardShape().map(Advice::words).orElse("none")
                : command(layout, url, groups);
    }

    /** Whether this is a scalar, or the coordinate of a dimension: readers load it as a whole. */
    private static boolean isCoordinate(ZarrArray array) {
        String name = array.location().replaceFirst("(?s)/+$", "").replaceFirst("(?s)^.*[/!]", "");
        return array.shape().length == 0
                || array.shape().length == 1
                        && array.dimensionNames()
                                .map(names -> names.get(0).filter(name::equals).isPresent())
                                .orElse(false);
    }

    /** Returns a name for a copy in the current folder. */
    private static String target(String url, String suffix) {
        String name = url.replaceFirst("(?s)[/!]+$", "")
                .replaceFirst("(?s)^.*[/!:\\\\]", "")
                .replaceFirst("[.][A-Za-z0-9]+$", "")
                .replaceAll("[^A-Za-z0-9._-]", "_");
        return (name.isEmpty() || name.startsWith("-") ? "copy" : name) + "-" + suffix + ".zarr";
    }

    /** Whether the layout of the stored array cannot change. */
    private static boolean isFixed(ZarrArray array) {
        return array.nodeFormat().isPresent() || array.location().matches(READ_ONLY);
    }

    private static String consolidated(String change, List<String> groups) {
        StringBuilder command = new StringBuilder();
        groups.forEach(group -> command.append("shardkit consolidate --remove ")
                .append(ShellWords.quoted(group))
                .append(" && "));
        command.append(change);
        groups.forEach(group -> command.append(" && shardkit consolidate ").append(ShellWords.quoted(group)));
        return command.toString();
    }

    private static String words(long[] lengths) {
        return Arrays.stream(lengths).mapToObj(String::valueOf).collect(Collectors.joining(","));
    }

    private static Optional<Advice> chunk(ZarrArray array, String command) {
        OptionalInt element = array.dataType().elementSize();
        long bytes = element.isEmpty() ? -1 : Shapes.count(array.chunkShape()) * element.getAsInt();
        boolean isOne =
                Shapes.exactCount(array.storedChunks().cells()).compareTo(BigInteger.ONE) <= 0 && !array.isSharded();
        @Nullable Advice advice = null;
        if (bytes > LARGE_CHUNK) {
            advice = new Advice(
                    "Make the chunks smaller",
                    "A chunk is the smallest unit of a read, and one has " + Html.bytes(bytes)
                            + ": reading a single element decodes all of it.",
                    command);
        } else if (bytes >= 0 && bytes < SMALL_CHUNK && !isOne) {
            advice = new Advice(
                    "Make the chunks larger",
                    "A chunk has " + Html.bytes(bytes) + " of elements: each costs an index entry or an object, and"
                            + " compresses badly on its own. 64 KiB to 1 MiB suit most readers.",
                    command);
        }
        return Optional.ofNullable(advice);
    }

    private static Optional<Advice> compression(ZarrArray array, StorageSize size, String url) {
        if (size.raw().isEmpty() || size.stored() < MIB) {
            return Optional.empty();
        }
        double ratio = size.raw().get().doubleValue() / size.stored();
        boolean compresses = compresses(
                MetadataWriter.document(array.metadata()).get("codecs").orElse(Json.object()));
        if (!compresses) {
            return Optional.of(new Advice(
                    "Compress it",
                    Html.bytes(size.stored()) + " are stored without compression. zstd is fast to read and often"
                            + " halves the size.",
                    "shardkit copy " + ShellWords.quoted(url) + " " + target(url, "zstd") + " --codecs zstd:3"));
        } else if (ratio < NO_GAIN) {
            return Optional.of(new Advice(
                    "Choose another compression",
                    String.format(
                            Locale.ROOT,
                            "The codecs save %.1f %%. Noise does not compress; numbers often compress better after"
                                    + " a byte shuffle (blosc), or with fewer bits (bitround).",
                            Math.max(0, 100 - 100 / ratio)),
                    "shardkit copy " + ShellWords.quoted(url) + " " + target(url, "blosc") + " --codecs blosc:zstd:5"));
        }
        return Optional.empty();
    }

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
     */
    public static List<Advice> of(ZarrGroup root, String url, long nodes) {
        boolean isV3 = root.nodeFormat().isEmpty() && !root.location().matches(READ_ONLY);
        return isV3 && nodes > 1 && root.metadata().consolidated().isEmpty()
                ? List.of(new Advice(
                        "Consolidate the metadata",
                        "Opening the tree over HTTP takes a request for each of its " + nodes
                                + " nodes, and a web server cannot list them. Consolidated metadata is one request.",
                        "shardkit consolidate " + ShellWords.quoted(url)))
                : List.of();
    }
}
