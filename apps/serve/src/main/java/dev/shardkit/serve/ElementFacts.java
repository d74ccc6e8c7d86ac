package dev.shardkit.serve;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.cf.CfDataset;
import dev.shardkit.cf.CfKind;
import dev.shardkit.cf.CfOptions;
import dev.shardkit.cf.CfValues;
import dev.shardkit.cf.CfVariable;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The physical value of an element and the labels of its coordinates, by the CF conventions: what the page shows under
 * the pointer. Stateless.
 */
final class ElementFacts {
    /** Larger coordinates are not read. */
    private static final int MAX_LABELS_BITS = 20;
    /** The same of texts, whose elements may have any size. */
    private static final int MAX_TEXTS_BITS = 12;

    private static final int MAX_COORDINATES = 16;

    private ElementFacts() {}

    /** Opens the variable that an array of a group is, with its coordinates; empty if the array has no such name. */
    static Optional<CfVariable> variable(ZarrGroup group, String name, ZarrArray array) {
        TreeSet<String> names = new TreeSet<>(List.of(name));
        array.dimensionNames().orElse(List.of()).forEach(dimension -> dimension.ifPresent(names::add));
        if (array.attributes().get("coordinates").orElse(null) instanceof Json.Str stated) {
            Arrays.stream(stated.value().split(" ")).limit(MAX_COORDINATES).forEach(names::add);
        }
        names.removeIf(String::isEmpty);
        return CfDataset.of(group, CfOptions.defaults().withVariables(names)).find(name);
    }

    /** Returns value, units and labels of an element, as text. */
    static Json compute(CfVariable variable, long[] at) {
        Json.Obj facts = Json.object();
        if (variable.kind() != CfKind.OTHER && variable.dimensions().size() == at.length) {
            facts = withUnits(facts.with("value", Json.of(text(variable, variable.read(element(at))))), variable);
        }
        List<Json> labels = new ArrayList<>();
        for (CfVariable coordinate : variable.coordinates()) {
            if (isSmall(coordinate) && variable.dimensions().containsAll(coordinate.dimensions())) {
                labels.add(label(variable, coordinate, at));
            }
        }
        return facts.with("labels", new Json.Arr(labels));
    }

    private static boolean isSmall(CfVariable coordinate) {
        int bits = coordinate.array().dataType().elementSize().isPresent() ? MAX_LABELS_BITS : MAX_TEXTS_BITS;
        return coordinate.kind() != CfKind.OTHER
                && coordinate.array().shape().length == coordinate.dimensions().size()
                && Shapes.exactCount(coordinate.shape()).bitLength() <= bits;
    }

    private static Json label(CfVariable variable, CfVariable coordinate, long[] at) {
        long[] index = coordinate.dimensions().stream()
                .mapToLong(name -> at[variable.dimensions().indexOf(name)])
                .toArray();
        Json.Obj label = Json.object()
                .with("name", Json.of(coordinate.name()))
                .with("value", Json.of(text(coordinate, coordinate.read(element(index)))));
        return withUnits(label, coordinate);
    }

    /** Adds the units of numbers; times and time spans have them in their text. */
    private static Json.Obj withUnits(Json.Obj facts, CfVariable variable) {
        return variable.units()
                .filter(text -> variable.kind() == CfKind.NUMBER)
                .map(text -> facts.with("units", Json.of(text)))
                .orElse(facts);
    }

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

    private static String number(CfVariable variable, CfValues one) {
        double number = one.doubles()[0];
        String text = one.values().array() instanceof float[] numbers
                ? Float.toString(numbers[0])
                : number == Math.rint(number) && Math.abs(number) < 1L << 53
                        ? Long.toString((long) number)
                        : Double.toString(number);
        return variable.codes()
                .map(codes -> codes.meanings((long) number))
                .filter(meanings -> !meanings.isEmpty())
                .map(meanings -> text + " (" + String.join(", ", meanings) + ")")
                .orElse(text);
    }
}
