package dev.shardkit.cli.print;

import dev.shardkit.cf.CfDateTime;
import dev.shardkit.cf.CfKind;
import dev.shardkit.cf.CfTimeUnits;
import dev.shardkit.cf.CfVariable;
import dev.shardkit.maintenance.stats.Statistics.Numbers;
import dev.shardkit.maintenance.stats.Statistics.Result;
import dev.shardkit.maintenance.stats.VariableStatistics;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.json.Json;
import java.math.BigDecimal;
import java.util.Optional;

/** Formats the statistics of {@code stats} as text and JSON. Stateless. */
public final class StatisticsText {
    /** A double represents every integer up to this one exactly. */
    private static final double MAX_EXACT_INTEGER = 1L << 53;

    private StatisticsText() {}

    /** Returns the document of {@code stats --json}. */
    public static Json.Obj toJson(Result result) {
        Json.Obj json = Json.object()
                .with("elements", Json.of(result.elements()))
                .with("fill_elements", Json.of(result.fill()));
        Json.Obj members =
                result.numbers().map(numbers -> toJson(json, numbers)).orElse(json);
        return result.notApplied().isEmpty() ? members : members.with("not_applied", Json.of(result.notApplied()));
    }

    /** Returns a note on attributes such as scale_factor that were not applied; empty if there are none. */
    public static Optional<String> note(Result result) {
        return Optional.of(result.notApplied())
                .filter(names -> !names.isEmpty())
                .map(names -> "note: values are stored numbers; " + String.join(", ", names) + " not applied");
    }

    /** Returns the document of {@code stats --physical --json}. */
    public static Json.Obj toJson(VariableStatistics.Result result, CfVariable variable) {
        Json.Obj json =
                Json.object().with("elements", Json.of(result.elements())).with("missing", Json.of(result.missing()));
        Optional<String> units =
                variable.units().filter(text -> variable.timeUnits().isEmpty());
        Json.Obj members = units.map(text -> json.with("units", Json.of(text))).orElse(json);
        if (result.numbers().isEmpty()) {
            return members;
        }
        Numbers numbers = result.numbers().get();
        if (variable.kind() == CfKind.TIME) {
            return numbers.mean().isEmpty()
                    ? members
                    : members.with("min", Json.of(moment(variable, numbers.min().orElseThrow())))
                            .with("max", Json.of(moment(variable, numbers.max().orElseThrow())));
        }
        return withExtremes(members, numbers)
                .with("infinite", Json.of(numbers.infinities()))
                .with("histogram", histogram(numbers));
    }

    /** Returns the time that a stored number means, such as hours since 1970, by the units of a variable. */
    public static String moment(CfVariable variable, Json number) {
        String text = number.toString();
        CfTimeUnits units = variable.timeUnits().orElseThrow();
        NumberFormat format = variable.valueType().number().orElseThrow();
        Optional<CfDateTime> time;
        if (format instanceof IntegerFormat) {
            time = units.time(new BigDecimal(text)); // a double does not represent every 64-bit integer
        } else {
            time = units.time(format.bits() <= Float.SIZE ? Float.parseFloat(text) : Double.parseDouble(text));
        }
        return time.map(CfDateTime::toString).orElse("NaT");
    }

    private static Json.Obj toJson(Json.Obj json, Numbers numbers) {
        return withExtremes(json, numbers)
                .with("nan", Json.of(numbers.nans()))
                .with("infinite", Json.of(numbers.infinities()))
                .with("missing", Json.of(numbers.missing()))
                .with("histogram", histogram(numbers));
    }

    private static Json.Obj withExtremes(Json.Obj json, Numbers numbers) {
        return numbers.mean().isEmpty()
                ? json
                : json.with("min", numbers.min().orElseThrow())
                        .with("max", numbers.max().orElseThrow())
                        .with("mean", toJsonNumber(numbers.mean().get()));
    }

    private static Json histogram(Numbers numbers) {
        return new Json.Arr(numbers.histogram().stream()
                .map(bin -> (Json) Json.object()
                        .with("from", toJsonNumber(bin.from()))
                        .with("to", toJsonNumber(bin.to()))
                        .with("count", Json.of(bin.count())))
                .toList());
    }

    /** Returns a double as JSON. JSON has no infinities, so they become text. */
    private static Json toJsonNumber(double value) {
        return Double.isFinite(value) ? new Json.Num(toText(value)) : Json.of(toText(value));
    }

    /** Returns a double as text, without a fraction if it is an integer. */
    public static String toText(double value) {
        return value == Math.rint(value) && Math.abs(value) <= MAX_EXACT_INTEGER
                ? new BigDecimal(value).toPlainString()
                : String.valueOf(value);
    }
}
