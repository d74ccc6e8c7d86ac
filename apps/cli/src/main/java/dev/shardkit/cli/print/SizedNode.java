package dev.shardkit.cli.print;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
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
 * A node with its size; of a group, the sum of all arrays below it. Immutable.
 *
 * @param others the formats of other documents at the same place
 * @param unfinished an interrupted change
 */
public record SizedNode(
        String path,
        @Nullable String array,
        @Nullable String error,
        long objects,
        long stored,
        BigInteger raw,
        List<String> others,
        Optional<String> unfinished,
        List<SizedNode> children) {
    private static final int KIBI = 1024;
    private static final double LONG_NUMBER = 1e6;

    /** Returns a node with everything below it. A node that cannot be read has an error in place of a size. */
    public static SizedNode of(ZarrNode node, String path, Consumer<String> notes) {
        if (node instanceof ZarrArray array) {
            try {
                StorageSize size = StorageSize.of(array);
                return new SizedNode(
                        path,
                        NodeFacts.line(array),
                        null,
                        size.objects(),
                        size.stored(),
                        // The size of text is not known without reading it.
                        size.raw().orElse(BigInteger.ZERO),
                        NodeFacts.otherFormats(node, notes),
                        NodeFacts.unfinished(array),
                        List.of());
            } catch (ZarrException e) {
                return failed(path, e);
            }
        }
        ZarrGroup group = (ZarrGroup) node;
        List<SizedNode> children = new ArrayList<>();
        for (String name : group.childNames()) {
            String child = StoreKeys.location(path, name);
            try {
                group.find(name).ifPresent(found -> children.add(of(found, child, notes)));
            } catch (ZarrException e) {
                children.add(failed(child, e));
            }
        }
        return new SizedNode(
                path,
                null,
                null,
                children.stream().mapToLong(SizedNode::objects).sum(),
                children.stream().mapToLong(SizedNode::stored).sum(),
                children.stream().map(SizedNode::raw).reduce(BigInteger.ZERO, BigInteger::add),
                NodeFacts.otherFormats(node, notes),
                Optional.empty(),
                List.copyOf(children));
    }

    private static SizedNode failed(String path, ZarrException e) {
        String error = Switches.in(e.fact());
        return new SizedNode(path, null, error, 0, 0, BigInteger.ZERO, List.of(), Optional.empty(), List.of());
    }

    /** Returns this node and all nodes below it, parents first. */
    public Stream<SizedNode> all() {
        return Stream.concat(Stream.of(this), children.stream().flatMap(SizedNode::all));
    }

    /** Returns the last part of the path. */
    public String name() {
        return path.length() == 1 ? path : StoreKeys.name(path);
    }

    /** Whether this node, or one below it, could not be read. */
    public boolean hasErrors() {
        return all().anyMatch(node -> node.error != null);
    }

    /** Returns how many times smaller the stored form is; {@code -} if nothing is stored or known. */
    public String ratio() {
        return stored == 0 || raw.signum() == 0 ? "-" : String.format(Locale.ROOT, "%.2f", raw.doubleValue() / stored);
    }

    /** Returns the facts, without the children. */
    public Json.Obj json() {
        Json.Obj json = Json.object().with("path", Json.of(path));
        if (error != null) {
            return json.with("error", Json.of(error));
        }
        if (!others.isEmpty()) {
            json = json.with(
                    "other_formats", new Json.Arr(others.stream().map(Json::of).toList()));
        }
        if (unfinished.isPresent()) {
            json = json.with("unfinished", Json.of(unfinished.get()));
        }
        return json.with("node_type", Json.of(array != null ? "array" : "group"))
                .with("objects", Json.of(objects))
                .with("stored_bytes", Json.of(stored))
                .with("unencoded_bytes", new Json.Num(raw.toString()));
    }

    /** Returns a size for people, such as {@code 1.5 MiB}. */
    public static String size(BigInteger bytes) {
        double value = bytes.doubleValue();
        String[] units = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
        int unit = 0;
        while (value >= KIBI && unit < units.length - 1) {
            value /= KIBI;
            unit++;
        }
        if (value >= LONG_NUMBER) {
            return String.format(Locale.ROOT, "%.2g %s", value, units[unit]);
        }
        return unit == 0 ? bytes + " bytes" : String.format(Locale.ROOT, "%.1f %s", value, units[unit]);
    }
}
