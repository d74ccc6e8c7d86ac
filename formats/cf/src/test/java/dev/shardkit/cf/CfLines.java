package dev.shardkit.cf;

import dev.shardkit.NdArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.IntegerFormat;
import java.io.IOException;
import java.io.PrintStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Datasets as lines of text, which {@code conformance-tests/tools/cf_check.py} compares with those of xarray. A line
 * has the name of a variable, a selection, the type, the dimensions and the values. Selections are read from a file. If
 * a folder has a {@code copy.zarr}, the decoded values are written there, for xarray to read.
 */
public final class CfLines {
    private CfLines() {}

    /**
     * Prints the lines of datasets: each argument is a folder with {@code queries.txt} and {@code data.zarr}, or
     * another file that {@code location.txt} names.
     */
    public static void main(String... folders) throws IOException {
        try (PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8)) {
            for (String folder : folders) {
                Path path = Path.of(folder);
                List<String> queries = Files.readAllLines(path.resolve("queries.txt"));
                out.println("dataset\t" + path.getFileName());
                Path location = path.resolve("location.txt");
                of(
                                Files.exists(location)
                                        ? Files.readString(location)
                                        : path.resolve("data.zarr").toString(),
                                queries)
                        .forEach(out::println);
                if (Files.exists(path.resolve("copy.zarr"))) {
                    rewritten(
                                    path.resolve("data.zarr").toString(),
                                    path.resolve("copy.zarr").toString())
                            .forEach(refused -> out.println("refused\t" + refused));
                }
            }
        }
    }

    /** Returns the lines of one dataset: first its variables, then the answers to queries. */
    static List<String> of(String location, List<String> queries) {
        List<String> lines = new ArrayList<>();
        try (CfDataset dataset = CfDataset.open(location, ZarrOptions.defaults(), CfOptions.defaults())) {
            for (CfVariable variable : dataset.variables()) {
                lines.add(variable.name() + "\t\t" + line(variable));
            }
            for (String query : queries) {
                String[] parts = query.split("\t");
                lines.add(parts[0] + "\t" + parts[1] + "\t" + answer(dataset.variable(parts[0]), parts[1]));
            }
        }
        return lines;
    }

    private static String line(CfVariable variable) {
        try {
            return text(variable.read());
        } catch (RuntimeException e) {
            return "failed: " + e;
        }
    }

    /**
     * Answers a query: steps such as {@code lat nearest 5.5}, separated by semicolons. The last step may be
     * {@code points nearest lat=1,2 lon=3,4}.
     */
    private static String answer(CfVariable variable, String query) {
        try {
            if (query.equals("flags")) {
                return meanings(variable);
            }
            CfSelection selection = variable.select();
            for (String step : query.split(";")) {
                String[] words = step.split(" ");
                if (words[0].equals("points")) {
                    Map<String, List<?>> labels = new LinkedHashMap<>();
                    for (String list : List.of(words).subList(2, words.length)) {
                        String name = list.substring(0, list.indexOf('='));
                        labels.put(
                                name,
                                labels(
                                        variable,
                                        name,
                                        list.substring(name.length() + 1).split(",")));
                    }
                    return text(selection.readPoints(labels, match(words[1])));
                }
                selection = selected(selection, words[0], List.of(words).subList(1, words.length));
            }
            return text(selection.read());
        } catch (IllegalArgumentException e) {
            return "refused";
        } catch (RuntimeException e) {
            return "failed: " + e;
        }
    }

    private static CfSelection selected(CfSelection selection, String name, List<String> words) {
        CfVariable variable = selection.variable();
        String last = words.get(words.size() - 1);
        return switch (words.get(0)) {
            case "cyclic" -> selected(selection.cyclic(name), name, words.subList(1, words.size()));
            case "range" ->
                selection.range(name, moment(variable, name, words.get(1)), moment(variable, name, words.get(2)));
            case "periods" -> selection.range(name, words.get(1), words.get(2));
            case "tolerance" -> {
                boolean isTime = variable.dataset().variable(name).kind() == CfKind.TIME;
                Object tolerance = isTime ? Duration.parse(last) : (Object) Double.valueOf(last);
                yield selection.nearest(name, label(variable, name, words.get(1)), tolerance);
            }
            case "within" -> selection.within(name, last);
            case "index" -> selection.index(name, Long.parseLong(last));
            case "list" ->
                selection.labels(
                        name,
                        labels(variable, name, words.subList(2, words.size()).toArray(new String[0])),
                        match(words.get(1)));
            default -> selection.sel(name, label(variable, name, last), match(words.get(0)));
        };
    }

    private static CfMatch match(String name) {
        return CfMatch.valueOf(name.toUpperCase(Locale.ROOT));
    }

    private static List<Object> labels(CfVariable variable, String coordinate, String... texts) {
        return Stream.of(texts).map(text -> label(variable, coordinate, text)).toList();
    }

    private static Object label(CfVariable variable, String coordinate, String text) {
        if (variable.dataset().variable(coordinate).kind() != CfKind.NUMBER) {
            return text;
        }
        return text.matches("-?[0-9]+") ? new BigInteger(text) : (Object) Double.valueOf(text);
    }

    /** Returns a label, of times the moment itself: a text that ends with seconds names all moments of this second. */
    private static Object moment(CfVariable variable, String coordinate, String text) {
        return variable.dataset()
                .variable(coordinate)
                .timeUnits()
                .<Object>map(units -> CfDateTime.parse(units.calendar(), text))
                .orElseGet(() -> label(variable, coordinate, text));
    }

    /** Returns the meanings of stored elements. */
    private static String meanings(CfVariable variable) {
        CfFlags flags = variable.flags().orElseThrow();
        NdArray stored = variable.array().read();
        return IntStream.range(0, (int) stored.count())
                .mapToObj(i -> String.join(
                        "+",
                        flags.meanings(
                                stored.integerAt(index(i, stored.shape())).longValue())))
                .collect(Collectors.joining(" "));
    }

    /**
     * Writes the values of a dataset into another one, which has the same arrays. Returns the names of the variables
     * that are not written, with the reasons.
     */
    static List<String> rewritten(String source, String target) {
        List<String> refused = new ArrayList<>();
        try (CfDataset from = CfDataset.open(source);
                CfDataset to = CfDataset.open(target)) {
            for (CfVariable variable : from.variables()) {
                CfValues values = variable.read();
                CfVariable copy = to.variable(variable.name());
                Box all = Box.of(copy.shape());
                try {
                    if (values.kind() == CfKind.NUMBER
                            && values.values().dataType().number().orElseThrow() instanceof IntegerFormat
                            && DoubleStream.of(values.doubles()).anyMatch(value -> Math.abs(value) >= 0x1p53)) {
                        throw new IllegalArgumentException("double may round the numbers");
                    }
                    switch (values.kind()) {
                        case NUMBER -> copy.write(all, values.doubles());
                        case TIME -> copy.writeTimes(all, values.times());
                        case DURATION -> copy.writeDurations(all, values.durations());
                        case BOOLEAN -> copy.writeBooleans(all, values.values().booleans());
                        case TEXT ->
                            copy.writeTexts(all, List.of(values.values().strings()));
                        case OTHER -> refused.add(variable.name() + "\telements of the kind OTHER");
                    }
                } catch (IllegalArgumentException e) {
                    refused.add(variable.name() + "\t" + e.getMessage());
                }
            }
        }
        return refused;
    }

    private static String text(CfValues values) {
        List<String> elements = new ArrayList<>();
        StoredNumbersOf numbers = new StoredNumbersOf(values);
        for (int i = 0; i < values.count(); i++) {
            elements.add(numbers.text(i));
        }
        String type = values.kind() == CfKind.NUMBER
                ? values.values().dataType().name()
                : values.kind().toString().toLowerCase(Locale.ROOT);
        return type + "\t" + String.join(",", values.dimensions()) + "\t" + String.join(" ", elements);
    }

    /** Returns the index of the element at a position in C order. */
    private static long[] index(int position, long[] shape) {
        long[] index = new long[shape.length];
        long rest = position;
        for (int d = shape.length - 1; d >= 0; d--) {
            index[d] = rest % shape[d];
            rest /= shape[d];
        }
        return index;
    }

    /** The elements as text: floating-point numbers by their bits as float64. */
    private record StoredNumbersOf(CfValues values) {
        String text(int i) {
            long[] index = index(i, values.shape());
            return switch (values.kind()) {
                case TIME -> values.timeAt(index).map(CfDateTime::toString).orElse("NaT");
                case DURATION ->
                    values.durationAt(index)
                            .map(d -> String.valueOf(d.toNanos()))
                            .orElse("NaT");
                case TEXT ->
                    values.isMissingAt(index)
                            ? "NaN"
                            : "'" + values.textAt(index).replace(" ", "_") + "'";
                case BOOLEAN -> String.valueOf(values.values().booleans()[i]);
                case OTHER -> "?";
                case NUMBER -> {
                    if (values.values().dataType().number().orElseThrow() instanceof IntegerFormat) {
                        yield values.values().integerAt(index).toString();
                    }
                    double value = values.doubleAt(index);
                    yield Double.isNaN(value) ? "NaN" : String.valueOf(Double.doubleToRawLongBits(value));
                }
            };
        }
    }
}
