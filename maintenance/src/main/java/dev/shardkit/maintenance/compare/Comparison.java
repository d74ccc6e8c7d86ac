package dev.shardkit.maintenance.compare;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.maintenance.chunks.BoxSplit;
import dev.shardkit.maintenance.chunks.UnchangedArrayReads;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Compares two arrays, or two groups with all their descendants: metadata and elements. Elements are equal if their
 * bits are, so a NaN equals the same NaN, and 0 differs from -0. Consolidated metadata is not compared. Reads both
 * sides in pieces of limited size, so arrays of any size fit. Immutable and thread-safe.
 */
public final class Comparison {
    private static final int DEFAULT_REPORTED = 10;
    private static final Set<String> LAYOUT =
            Set.of("chunk_grid", "chunk_key_encoding", "codecs", "storage_transformers");

    private final ZarrNode left;
    private final ZarrNode right;
    private final int maxReported;
    /** Whether the layout is compared too. */
    private final boolean layout;

    private final Progress progress;

    private Comparison(ZarrNode left, ZarrNode right, int maxReported, boolean layout, Progress progress) {
        this.left = left;
        this.right = right;
        this.maxReported = maxReported;
        this.layout = layout;
        this.progress = progress;
    }

    /** The kind of a difference. */
    public enum Kind {
        /** Only one side has the node, or one is an array and the other a group. */
        NODE,
        /** A member of the metadata. */
        METADATA,
        /** An element. */
        ELEMENT
    }

    /**
     * A difference. Immutable.
     *
     * @param node the path of the node below both sides
     * @param kind the kind of difference
     * @param position the name of the member, such as {@code shape} or {@code attributes/unit}; the index of the
     *     element, such as {@code 3,4}; empty for a node
     * @param left the value on the left side: for a node its type, for an element its JSON as a fill value; empty if
     *     this side has none
     * @param right the value on the right side
     */
    public record Difference(String node, Kind kind, String position, Optional<Json> left, Optional<Json> right) {}

    /**
     * The counts of a comparison.
     *
     * @param arrays the arrays that both sides have
     * @param compared the arrays whose elements were compared: shape and data type are the same
     * @param nodes the nodes that differ as a whole
     * @param members the members of metadata that differ
     * @param elements the elements that differ
     */
    public record Summary(long arrays, long compared, long nodes, long members, long elements) {
        /** Whether both sides are equal. */
        public boolean isEqual() {
            return nodes == 0 && members == 0 && elements == 0;
        }
    }

    /** Creates a comparison that reports the first 10 elements of each array that differ. */
    public static Comparison of(ZarrNode left, ZarrNode right) {
        return new Comparison(left, right, DEFAULT_REPORTED, true, (path, done, total) -> {});
    }

    /** Returns this comparison without chunk grids, chunk keys, codecs and storage transformers. */
    public Comparison ignoringLayout() {
        return new Comparison(left, right, maxReported, false, progress);
    }

    /**
     * Returns this comparison with a limit for the reported elements of each array. The first ones in C order are
     * reported; all are counted.
     *
     * @throws IllegalArgumentException if {@code max} is negative
     */
    public Comparison reporting(int max) {
        if (max < 0) {
            throw new IllegalArgumentException("expected a number of elements, found " + max);
        }
        return new Comparison(left, right, max, layout, progress);
    }

    /** Returns this comparison with a listener, which receives the number of compared elements of each array. */
    public Comparison withProgress(Progress listener) {
        return new Comparison(left, right, maxReported, layout, listener);
    }

    /** Describes the first difference between the elements of two arrays; empty if they are equal. */
    public static Optional<String> firstOfElements(ZarrArray from, ZarrArray copied) {
        List<Difference> found = new ArrayList<>();
        Summary summary = of(from, copied).ignoringLayout().reporting(1).run(found::add);
        if (summary.compared() == 1 && summary.elements() == 0) {
            return Optional.empty();
        }
        String place = found.stream()
                .filter(difference -> difference.kind() == Kind.ELEMENT)
                .findFirst()
                .map(first -> summary.elements() + " elements differ, the first at " + first.position())
                .orElse("its shape or data type is another one");
        return Optional.of(place);
    }

    /**
     * Compares both sides.
     *
     * @param differences receives the differences, node by node
     * @throws dev.shardkit.spi.error.ZarrException if a node or a chunk cannot be read
     */
    public Summary run(Consumer<Difference> differences) {
        Run run = new Run(differences);
        run.compare("", left, right);
        return new Summary(run.arrays, run.compared, run.nodes, run.members, run.elements);
    }

    private final class Run {
        private final Consumer<Difference> differences;
        private long arrays;
        private long compared;
        private long nodes;
        private long members;
        private long elements;

        Run(Consumer<Difference> differences) {
            this.differences = differences;
        }

        void compare(String path, ZarrNode a, ZarrNode b) {
            if (a instanceof ZarrArray one && b instanceof ZarrArray other) {
                arrays++;
                metadata(path, members(one), members(other));
                if (Arrays.equals(one.shape(), other.shape()) && one.dataType().equals(other.dataType())) {
                    compared++;
                    elements(path, one, other);
                }
            } else if (a instanceof ZarrGroup one && b instanceof ZarrGroup other) {
                metadata(path, members(one), members(other));
                children(path, one.children(), other.children());
            } else {
                node(path, a, b);
            }
        }

        private void children(String path, SortedMap<String, ZarrNode> a, SortedMap<String, ZarrNode> b) {
            TreeSet<String> names = new TreeSet<>(a.keySet());
            names.addAll(b.keySet());
            for (String name : names) {
                String child = StoreKeys.join(path, name);
                ZarrNode one = a.get(name);
                ZarrNode other = b.get(name);
                if (one != null && other != null) {
                    compare(child, one, other);
                } else {
                    node(child, one, other);
                }
            }
        }

        private void node(String path, @Nullable ZarrNode a, @Nullable ZarrNode b) {
            nodes++;
            differences.accept(new Difference(path, Kind.NODE, "", type(a), type(b)));
        }

        private void metadata(String path, Map<String, Json> a, Map<String, Json> b) {
            TreeSet<String> names = new TreeSet<>(a.keySet());
            names.addAll(b.keySet());
            for (String name : names) {
                Optional<Json> one = Optional.ofNullable(a.get(name));
                Optional<Json> other = Optional.ofNullable(b.get(name));
                if (!one.equals(other)) {
                    members++;
                    differences.accept(new Difference(path, Kind.METADATA, name, one, other));
                }
            }
        }

        private void elements(String path, ZarrArray a, ZarrArray b) {
            Box domain = a.domain();
            UnchangedArrayReads left = UnchangedArrayReads.ofWhole(a);
            UnchangedArrayReads right = UnchangedArrayReads.ofWhole(b);
            ElementDifferences found = new ElementDifferences(left, right, maxReported);
            long total = BoxSplit.countToRead(domain, "compare regions, read from both arrays");
            long most = ElementDifferences.batchElements(a);
            Consumer<Box> compare = part -> BoxSplit.visit(a, part, most, box -> {
                found.compare(box);
                progress.at(path, found.compared(), total);
            });
            boolean sameFill = a.fillValue().equals(b.fillValue());
            // chunks that neither side stores differ only if the fill values do
            left.stored()
                    .flatMap(boxes -> right.stored().flatMap(boxes::union))
                    .ifPresentOrElse(
                            boxes -> boxes.visit(most, compare, sameFill ? found::skip : compare),
                            () -> compare.accept(domain));
            elements += found.count();
            found.firstDifferences()
                    .forEach(d -> differences.accept(new Difference(
                            path, Kind.ELEMENT, d.position(), Optional.of(d.left()), Optional.of(d.right()))));
        }
    }

    private static Optional<Json> type(@Nullable ZarrNode node) {
        return Optional.ofNullable(node).map(n -> Json.of(n instanceof ZarrArray ? "array" : "group"));
    }

    /** Returns the members of the metadata that are compared; each attribute is one. */
    private Map<String, Json> members(ZarrNode node) {
        Json.Obj document = node instanceof ZarrArray array
                ? MetadataWriter.document(array.metadata())
                : MetadataWriter.document(((ZarrGroup) node).metadata());
        Map<String, Json> members = new LinkedHashMap<>(document.members());
        members.remove("consolidated_metadata");
        members.remove("attributes");
        if (!layout) {
            members.keySet().removeAll(LAYOUT);
        }
        node.attributes().members().forEach((name, value) -> members.put("attributes/" + name, value));
        return members;
    }
}
