package dev.shardkit.cli.print;

import dev.shardkit.maintenance.stats.Statistics.Numbers;
import dev.shardkit.maintenance.stats.Statistics.Result;
import dev.shardkit.spi.json.Json;
import java.math.BigDecimal;
import java.util.Optional;

/** The statistics of {@code stats} as JSON. Stateless. */
public final class StatisticsText {
    /** All integers up to this one are doubles. */
    private static final double EXACT = 1L << 53;

    private StatisticsText() {}

    /** Returns the document of {@code stats --json}. */
    public static Json.Obj json(Result result) {
        Json.Obj json = Json.object()
                .with("elements", Json.of(result.elements()))
                .with("fill_elements", Json.of(result.fill()));
        Json.Obj all = result.numbers().map(n -> json(json, n)).orElse(json);
        return result.notApplied().isEmpty() ? all : all.with("not_applied", Json.of(result.notApplied()));
    }

    /** Returns the note on attributes that change what the numbers mean; empty if there are none. */
    public static Optional<String> note(Result result) {
        return Optional.of(result.notApplied())
                .filter(names -> !names.isEmpty())
                .map(names -> "note: values are stored numbers; " + String.join(", ", names) + " not applied");
    }

    private static Json.Obj json(Json.Obj json, Numbers numbers) {
        Json.Obj all = json;
        if (numbers.mean().isPresent()) {
            all = all.with("min", numbers.min().orElseThrow())
                    .with("max", numbers.max().orElseThrow())
                    .with("mean", number(numbers.mean().get()));
        }
        return all.with("nan", Json.of(numbers.nans()))
                .with("infinite", Json.of(numbers.infinities()))
                .with("missing", Json.of(numbers.missing()))
                .with(
                        "histogram",
                        new Json.Arr(numbers.histogram().stream()
                                .map(bin -> (Json) Json.object()
                                        .with("from", number(bin.from()))
                                        .with("to", number(bin.to()))
                                        .with("count", Json.of(bin.count())))
                                .toList()));
    }

    /** Returns a double as JSON; infinities, which JSON lacks, as text. */
    private static Json number(double value) {
        return Double.isFinite(value) ? new Json.Num(text(value)) : Json.of(text(value));
    }

    /** Returns a double, without a fraction if it is an integer. */
    public static String text(double value) {
        return value == Math.rint(value) && Math.abs(value) <= EXACT
                ? new BigDecimal(value).toPlainString()
                : String.valueOf(value);
    }
}
