package dev.shardkit.cf;

import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.IntegerFormat;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Datasets as lines of text, which {@code conformance-tests/tools/cf_check.py} compares with those of xarray. A line
 * has the name of a variable, a selection, the type, the dimensions and the values. Selections are read from a file.
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

    /** Answers a query such as {@code time exact 2000-01-01;lat nearest 5.5;lon range 1 2}. */
    private static String answer(CfVariable variable, String query) {
        try {
            CfSelection selection = variable.select();
            for (String step : query.split(";")) {
                String[] words = step.split(" ");
                CfKind kind = variable.dataset().variable(words[0]).kind();
                Object label = label(kind, words[2]);
                selection = switch (words[1]) {
                    case "exact" -> selection.at(words[0], label);
                    case "nearest" -> selection.nearest(words[0], label);
                    case "before" -> selection.before(words[0], label);
                    case "after" -> selection.after(words[0], label);
                    case "range" -> selection.range(words[0], label, label(kind, words[3]));
                    default -> throw new IllegalArgumentException(step);
                };
            }
            return text(selection.read());
        } catch (RuntimeException e) {
            return "failed: " + e;
        }
    }

    private static Object label(CfKind kind, String text) {
        return kind == CfKind.NUMBER ? (Object) Double.parseDouble(text) : text;
    }

    private static String text(CfValues values) {
        List<String> elements = new ArrayList<>();
        StoredNumbersOf numbers = new StoredNumbersOf(values);
        for (int i = 0; i < values.count(); i++) {
            elements.add(numbers.text(i));
        }
        String type = values.kind() == CfKind.NUMBER
                ? values.values().dataType().name()
                : values.kind().toString().toLowerCase(java.util.Locale.ROOT);
        return type + "\t" + String.join(",", values.dimensions()) + "\t" + String.join(" ", elements);
    }

    /** The elements as text: floating-point numbers by their bits as float64. */
    private record StoredNumbersOf(CfValues values) {
        String text(int i) {
            long[] shape = values.shape();
            long[] index = new long[shape.length];
            long rest = i;
            for (int d = shape.length - 1; d >= 0; d--) {
                index[d] = rest % shape[d];
                rest /= shape[d];
            }
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
