package dev.shardkit.cli.print.elements;

import dev.shardkit.cf.CfDataset;
import dev.shardkit.cf.CfDimension;
import dev.shardkit.cf.CfKind;
import dev.shardkit.cf.CfNote;
import dev.shardkit.cf.CfRole;
import dev.shardkit.cf.CfValues;
import dev.shardkit.cf.CfVariable;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Describes the dimensions and variables of a dataset of the CF conventions. Stateless. */
public final class DatasetText {
    /** The maximum number of labels of a coordinate that are all read. Of more labels, only the ends are read. */
    private static final long MAX_LABELS = 1 << 20;
    /** Steps that differ by less than this fraction of a step are equal, because labels are rounded numbers. */
    private static final double ROUNDING = 1e-4;

    private DatasetText() {}

    /**
     * Describes a dataset in JSON, with the members {@code dimensions}, {@code variables} and {@code notes}. Reads the
     * coordinates.
     */
    public static Json.Obj describe(CfDataset dataset) {
        List<Json> dimensions = new ArrayList<>();
        for (CfDimension dimension : dataset.dimensions()) {
            Json.Obj described =
                    Json.object().with("name", Json.of(dimension.name())).with("length", Json.of(dimension.length()));
            Optional<CfVariable> coordinate = dataset.coordinate(dimension.name());
            dimensions.add(coordinate.isPresent() ? withLabels(described, coordinate.get()) : described);
        }
        List<Json> variables = new ArrayList<>();
        for (CfVariable variable : dataset.variables()) {
            if (variable.role() != CfRole.COORDINATE) {
                variables.add(describe(variable));
            }
        }
        Json.Obj described =
                Json.object().with("dimensions", new Json.Arr(dimensions)).with("variables", new Json.Arr(variables));
        List<String> notes = dataset.notes().stream().map(CfNote::toString).toList();
        return notes.isEmpty() ? described : described.with("notes", Json.of(notes));
    }

    private static Json.Obj describe(CfVariable variable) {
        Json.Obj described = Json.object()
                .with("name", Json.of(variable.name()))
                .with("dimensions", Json.of(variable.dimensions()))
                .with("role", Json.of(variable.role().name().toLowerCase(Locale.ROOT)))
                .with("data_type", Json.of(variable.array().dataType().name()));
        return variable.units()
                .map(units -> described.with("units", Json.of(units)))
                .orElse(described);
    }

    /** Adds the first and the last label of the coordinate, its step and its units to a dimension. */
    private static Json.Obj withLabels(Json.Obj dimension, CfVariable coordinate) {
        Json.Obj described = dimension;
        long length = coordinate.shape()[0];
        if (length > 0) {
            boolean readsAll = length <= MAX_LABELS;
            CfValues first = readsAll ? coordinate.read() : coordinate.read(Box.of(new long[] {1}));
            CfValues last = readsAll ? first : coordinate.read(Box.of(new long[] {length - 1}, new long[] {1}));
            described = described
                    .with("first", new PhysicalElements(first).json(0))
                    .with("last", new PhysicalElements(last).json(last.count() - 1));
            Optional<Json> step = readsAll ? step(first) : Optional.empty();
            described = step.isPresent() ? described.with("step", step.get()) : described;
        }
        Optional<String> units = coordinate.units();
        return units.isPresent() ? described.with("units", Json.of(units.get())) : described;
    }

    /** Returns the distance between neighbouring labels; empty if it is not always the same. */
    private static Optional<Json> step(CfValues labels) {
        if (labels.count() < 2) {
            return Optional.empty();
        } else if (labels.kind() == CfKind.TIME) {
            return timeStep(labels).map(step -> Json.of(step.toString()));
        } else if (labels.kind() != CfKind.NUMBER) {
            return Optional.empty();
        }
        double[] numbers = labels.doubles();
        double meanStep = (numbers[numbers.length - 1] - numbers[0]) / (numbers.length - 1);
        for (int i = 1; i < numbers.length; i++) {
            boolean isEqual = Math.abs(numbers[i] - numbers[i - 1] - meanStep) <= Math.abs(meanStep) * ROUNDING;
            if (!isEqual) { // also if a label is NaN
                return Optional.empty();
            }
        }
        Object array = labels.values().array();
        if (array instanceof float[]) { // shows 0.1, not the digits of the nearest double
            return Optional.of(Json.of(Double.parseDouble(Float.toString((float) meanStep))));
        }
        boolean isInteger = !(array instanceof double[]) && meanStep == Math.rint(meanStep);
        return Optional.of(isInteger ? Json.of((long) meanStep) : Json.of(meanStep));
    }

    private static Optional<Duration> timeStep(CfValues labels) {
        Optional<Duration> step = Optional.empty();
        for (int i = 1; i < labels.count(); i++) {
            if (labels.times().get(i).isEmpty() || labels.times().get(i - 1).isEmpty()) {
                return Optional.empty();
            }
            Duration next =
                    labels.times().get(i - 1).get().until(labels.times().get(i).get());
            if (i > 1 && !step.equals(Optional.of(next))) {
                return Optional.empty();
            }
            step = Optional.of(next);
        }
        return step;
    }

    /**
     * Returns a description as lines of text: a table of the dimensions, then one of the variables.
     *
     * @param described the result of {@link #describe(CfDataset)}
     */
    public static List<String> lines(Json.Obj described) {
        List<String> lines = new ArrayList<>();
        lines.add("dimensions");
        List<List<String>> dimensions = new ArrayList<>();
        for (Json item : items(described, "dimensions")) {
            Json.Obj dimension = (Json.Obj) item;
            String step = text(dimension, "step");
            dimensions.add(List.of(
                    text(dimension, "name"),
                    text(dimension, "length"),
                    dimension.get("first").isEmpty() ? "" : text(dimension, "first") + " to " + text(dimension, "last"),
                    step.isEmpty() ? "" : "step " + step,
                    text(dimension, "units")));
        }
        lines.addAll(table(dimensions));
        lines.add("variables");
        List<List<String>> variables = new ArrayList<>();
        for (Json item : items(described, "variables")) {
            Json.Obj variable = (Json.Obj) item;
            String role = text(variable, "role");
            variables.add(List.of(
                    text(variable, "name"),
                    "("
                            + String.join(
                                    ", ",
                                    items(variable, "dimensions").stream()
                                            .map(DatasetText::plain)
                                            .toList()) + ")",
                    text(variable, "data_type"),
                    text(variable, "units"),
                    role.equals("data") ? "" : role));
        }
        lines.addAll(table(variables));
        for (Json note : items(described, "notes")) {
            lines.add("note: " + plain(note));
        }
        return lines;
    }

    private static List<Json> items(Json.Obj object, String name) {
        return object.get(name).map(list -> ((Json.Arr) list).items()).orElse(List.of());
    }

    private static String text(Json.Obj object, String name) {
        return object.get(name).map(DatasetText::plain).orElse("");
    }

    /** Returns a value as text, without quotes if it is a string. */
    private static String plain(Json json) {
        return json instanceof Json.Str text ? text.value() : json.toString();
    }

    /** Returns rows as lines with aligned columns. Columns without any text are left out. */
    private static List<String> table(List<List<String>> rows) {
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int c = 0; c < row.size(); c++) {
                int column = c;
                int width = rows.stream()
                        .mapToInt(other -> other.get(column).length())
                        .max()
                        .orElse(0);
                line.append(width == 0 ? "" : "  ")
                        .append(row.get(c))
                        .append(" ".repeat(width - row.get(c).length()));
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }
}
