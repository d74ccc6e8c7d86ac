package dev.shardkit.serve;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.cf.CfDataset;
import dev.shardkit.cf.CfKind;
import dev.shardkit.cf.CfOptions;
import dev.shardkit.cf.CfValues;
import dev.shardkit.cf.CfVariable;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Computes the physical value of an element and the labels of its coordinates, such as its time and latitude, by the CF
 * conventions. The server's page shows them for the element under the pointer. Stateless.
 */
final class ElementFacts {
    /** Coordinates are read only if their number of labels has at most this many bits. */
    private static final int MAX_LABELS_BITS = 20;
    /** The same limit for coordinates of texts, which may have any size. */
    private static final int MAX_TEXTS_BITS = 12;

    /** The maximum memory to read one label of a coordinate, in bytes. */
    private static final long MAX_LABEL_MEMORY = 64 << 20;

    /** The maximum number of nodes that are opened for an array: the array itself and its coordinates. */
    private static final int MAX_NAMES = 17;
    /** The maximum length of names that are looked up. File systems have no longer ones. */
    private static final int MAX_NAME_BYTES = 255;

    private ElementFacts() {}

    /**
     * Opens an array as a CF variable, with its first coordinates. The group of the array is the dataset. Empty if the
     * dataset has no variable of this name.
     */
    static Optional<CfVariable> variable(ZarrGroup group, String name, ZarrArray array) {
        Set<String> names = Stream.of(
                        Stream.of(name),
                        array.dimensionNames().orElse(List.of()).stream().flatMap(Optional::stream),
                        coordinates(array))
                .flatMap(stream -> stream)
                .filter(each -> !each.isEmpty() && each.getBytes(StandardCharsets.UTF_8).length <= MAX_NAME_BYTES)
                .distinct()
                .limit(MAX_NAMES)
                .collect(Collectors.toCollection(TreeSet::new));
        return CfDataset.of(group, CfOptions.defaults().withVariables(names)).find(name);
    }

    /** Returns the names in the attribute {@code coordinates}, at most {@link #MAX_NAMES}. */
    private static Stream<String> coordinates(ZarrArray array) {
        return array.attributes().get("coordinates").orElse(null) instanceof Json.Str names
                ? Arrays.stream(names.value().strip().split("\\s+", MAX_NAMES + 1))
                        .limit(MAX_NAMES)
                : Stream.empty();
    }

    /**
     * Returns the memory in bytes that is needed to read the labels: that of the largest read, because labels are read
     * one after another.
     *
     * @param budget the maximum memory of a label in bytes
     */
    static long memory(CfVariable variable, long budget) {
        return variable.coordinates().stream()
                .filter(coordinate -> isRead(variable, coordinate, budget))
                .mapToLong(ElementFacts::memory)
                .max()
                .orElse(0);
    }

    /** Returns the memory in bytes that is needed to read one label. */
    private static long memory(CfVariable coordinate) {
        long[] origin = new long[coordinate.array().shape().length];
        return ReadMemory.estimate(coordinate.array(), element(origin));
    }

    /**
     * Returns the value, the units and the labels of an element as text, and the names of the coordinates that were not
     * read.
     *
     * @param at the indices of the element
     * @param budget the maximum memory of a label in bytes
     */
    static Json compute(CfVariable variable, long[] at, long budget) {
        Json.Obj facts = Json.object();
        if (variable.kind() != CfKind.OTHER && variable.dimensions().size() == at.length) {
            facts = withText(facts, variable, variable.read(element(at)));
        }
        List<Json> labels = new ArrayList<>();
        List<Json> leftOut = new ArrayList<>();
        for (CfVariable coordinate : variable.coordinates()) {
            try {
                if (isRead(variable, coordinate, budget)) {
                    labels.add(label(variable, coordinate, at));
                } else {
                    leftOut.add(Json.of(coordinate.name()));
                }
            } catch (UnsupportedException | CorruptDataException | StoreException e) {
                leftOut.add(Json.of(coordinate.name()));
            }
        }
        facts = facts.with("labels", new Json.Arr(labels));
        return leftOut.isEmpty() ? facts : facts.with("left_out", new Json.Arr(leftOut));
    }

    /** Returns whether each element has exactly one label of a coordinate, and the memory suffices to read it. */
    private static boolean isRead(CfVariable variable, CfVariable coordinate, long budget) {
        return isSmall(coordinate)
                && variable.dimensions().containsAll(coordinate.dimensions())
                && memory(coordinate) <= Math.min(budget, MAX_LABEL_MEMORY);
    }

    private static boolean isSmall(CfVariable coordinate) {
        int bits = coordinate.array().dataType().elementSize().isPresent() ? MAX_LABELS_BITS : MAX_TEXTS_BITS;
        return coordinate.kind() != CfKind.OTHER
                && coordinate.array().shape().length == coordinate.dimensions().size()
                && Shapes.exactCount(coordinate.shape()).bitLength() <= bits;
    }

    /** Returns the label of an element, read at the element's indices in the coordinate's dimensions. */
    private static Json label(CfVariable variable, CfVariable coordinate, long[] at) {
        long[] index = coordinate.dimensions().stream()
                .mapToLong(name -> at[variable.dimensions().indexOf(name)])
                .toArray();
        Json.Obj label = Json.object().with("name", Json.of(coordinate.name()));
        return withText(label, coordinate, coordinate.read(element(index)));
    }

    /**
     * Adds an element as text, and its units if it is a number. The text of a time or a time span includes its units.
     *
     * @param one the element, as values with one item
     */
    private static Json.Obj withText(Json.Obj facts, CfVariable variable, CfValues one) {
        Json.Obj withValue = facts.with("value", Json.of(text(variable, one)));
        return variable.units()
                .filter(text -> variable.kind() == CfKind.NUMBER && !one.missing()[0])
                .map(text -> withValue.with("units", Json.of(text)))
                .orElse(withValue);
    }

    /** Returns the box of one element. */
    private static Box element(long[] at) {
        long[] ones = new long[at.length];
        Arrays.fill(ones, 1);
        return Box.of(at, ones);
    }

    private static String text(CfVariable variable, CfValues one) {
        if (one.missing()[0]) {
            return "missing";
        }
        return switch (one.kind()) {
            case TIME -> one.times().get(0).orElseThrow().toString();
            case DURATION -> one.durations().get(0).orElseThrow().toString();
            case TEXT -> one.values().strings()[0];
            case BOOLEAN -> String.valueOf(one.values().booleans()[0]);
            default -> number(variable, one);
        };
    }

    /** Returns a number as text and, if it is a code ({@code flag_values}), its meaning in parentheses. */
    private static String number(CfVariable variable, CfValues one) {
        String text = number(one);
        return variable.codes()
                .flatMap(codes -> codes.meaning(one, 0))
                .map(meaning -> text + " (" + meaning + ")")
                .orElse(text);
    }

    /** Returns a number as text, without decimals if it is whole. */
    private static String number(CfValues one) {
        Object array = one.values().array();
        if (one.values().dataType().number().orElse(null) instanceof IntegerFormat format) {
            return format.text(format.value(Array.getLong(array, 0)));
        } else if (array instanceof float[] numbers) {
            return Float.toString(numbers[0]);
        }
        OptionalLong whole = one.integer(0);
        return whole.isPresent() ? Long.toString(whole.getAsLong()) : Double.toString(one.doubles()[0]);
    }
}
