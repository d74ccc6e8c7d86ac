package dev.shardkit.cli.print;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.maintenance.source.OtherFormatSearch;
import dev.shardkit.maintenance.tree.StorageSize;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A node with its size, for {@code du} and {@code tree}. The size of a group is the sum of all arrays below it.
 * Immutable.
 *
 * @param path the path of the node
 * @param arrayText the description of an array; null for a group
 * @param error the reason why the node cannot be read; otherwise null
 * @param objects the number of stored objects
 * @param storedBytes the number of stored bytes
 * @param unencodedBytes the number of bytes without encoding; 0 if unknown
 * @param otherFormats the names of other formats at the same location
 * @param interruptedChange the description of an interrupted change
 * @param children the nodes below a group
 */
public record SizedNode(
        String path,
        @Nullable String arrayText,
        @Nullable String error,
        long objects,
        long storedBytes,
        BigInteger unencodedBytes,
        List<String> otherFormats,
        Optional<String> interruptedChange,
        List<SizedNode> children) {
    private static final int UNIT_FACTOR = 1024;
    /** From this number on, a size in the largest unit is printed with an exponent. */
    private static final double MIN_WITH_EXPONENT = 1e6;

    /**
     * Returns a node and all nodes below it, with their sizes. A node that cannot be read has an error in place of a
     * size.
     */
    public static SizedNode of(ZarrNode node, String path, Consumer<String> notes) {
        return of(node, path, new OtherFormatSearch(), notes);
    }

    private static SizedNode of(ZarrNode node, String path, OtherFormatSearch search, Consumer<String> notes) {
        if (node instanceof ZarrArray array) {
            try {
                StorageSize storageSize = StorageSize.of(array);
                return new SizedNode(
                        path,
                        NodeText.toLine(array),
                        null,
                        storageSize.objects(),
                        storageSize.stored(),
                        // The size of text is not known without reading it.
                        storageSize.raw().orElse(BigInteger.ZERO),
                        NodeText.otherFormats(node, search, notes),
                        NodeText.describeUnfinished(array),
                        List.of());
            } catch (ZarrException e) {
                return withError(path, e);
            }
        }
        ZarrGroup group = (ZarrGroup) node;
        List<SizedNode> children = new ArrayList<>();
        for (String name : group.childNames()) {
            String childPath = StoreKeys.location(path, name);
            try {
                group.find(name).ifPresent(childNode -> children.add(of(childNode, childPath, search, notes)));
            } catch (ZarrException e) {
                children.add(withError(childPath, e));
            }
        }
        return new SizedNode(
                path,
                null,
                null,
                children.stream().mapToLong(SizedNode::objects).sum(),
                children.stream().mapToLong(SizedNode::storedBytes).sum(),
                children.stream().map(SizedNode::unencodedBytes).reduce(BigInteger.ZERO, BigInteger::add),
                NodeText.otherFormats(node, search, notes),
                Optional.empty(),
                List.copyOf(children));
    }

    private static SizedNode withError(String path, ZarrException e) {
        String error = ApiNameReplacement.replaceIn(e.fact());
        return new SizedNode(path, null, error, 0, 0, BigInteger.ZERO, List.of(), Optional.empty(), List.of());
    }

    /** Returns this node and all nodes below it, parents first. */
    public Stream<SizedNode> stream() {
        return Stream.concat(Stream.of(this), children.stream().flatMap(SizedNode::stream));
    }

    /** Returns the last part of the path; the whole path if it is one character, such as that of the root. */
    public String name() {
        return path.length() == 1 ? path : StoreKeys.name(path);
    }

    /** Whether this node, or one below it, could not be read. */
    public boolean hasErrors() {
        return stream().anyMatch(node -> node.error != null);
    }

    /**
     * Returns the compression ratio as text; {@code -} if nothing is stored or the size without encoding is unknown.
     */
    public String ratio() {
        return storedBytes == 0 || unencodedBytes.signum() == 0
                ? "-"
                : String.format(Locale.ROOT, "%.2f", unencodedBytes.doubleValue() / storedBytes);
    }

    /** Returns the node without its children as a JSON object. */
    public Json.Obj toJson() {
        Json.Obj json = Json.object().with("path", Json.of(path));
        if (error != null) {
            return json.with("error", Json.of(error));
        }
        if (!otherFormats.isEmpty()) {
            json = json.with(
                    "other_formats",
                    new Json.Arr(otherFormats.stream().map(Json::of).toList()));
        }
        if (interruptedChange.isPresent()) {
            json = json.with("unfinished", Json.of(interruptedChange.get()));
        }
        return json.with("node_type", Json.of(arrayText != null ? "array" : "group"))
                .with("objects", Json.of(objects))
                .with("stored_bytes", Json.of(storedBytes))
                .with("unencoded_bytes", new Json.Num(unencodedBytes.toString()));
    }

    /** Formats a number of bytes, such as {@code 1.5 MiB}. */
    public static String formatSize(BigInteger bytes) {
        double value = bytes.doubleValue();
        String[] units = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
        int unit = 0;
        while (value >= UNIT_FACTOR && unit < units.length - 1) {
            value /= UNIT_FACTOR;
            unit++;
        }
        if (value >= MIN_WITH_EXPONENT) {
            return String.format(Locale.ROOT, "%.2g %s", value, units[unit]);
        }
        return unit == 0 ? bytes + " bytes" : String.format(Locale.ROOT, "%.1f %s", value, units[unit]);
    }
}
