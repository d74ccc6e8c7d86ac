package dev.shardkit.spark.source;

import dev.shardkit.cf.CfDateTime;
import dev.shardkit.cf.CfFlags;
import dev.shardkit.cf.CfKind;
import dev.shardkit.cf.CfValues;
import dev.shardkit.cf.CfVariable;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.type.NumpyTimeType;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Converts values that the CF conventions decode to the elements of Spark columns, and says which kind of column they
 * need. Stateless.
 */
final class DecodedColumn {
    private DecodedColumn() {}

    /**
     * Decoded elements.
     *
     * @param array the elements, for {@link Column#at}
     * @param missing the elements that are null
     */
    record Elements(Object array, boolean[] missing) {}

    /**
     * Returns the kind of a variable's decoded elements: text for codes with meanings, and for moments of calendars
     * that Spark does not have.
     *
     * @throws UnsupportedException if Spark has no type for these elements
     */
    static Column of(CfVariable variable) {
        boolean timesAsSteps = false; // the kinds TIME and DURATION have the times
        return switch (variable.kind()) {
            case TIME -> isGregorian(variable) ? new Column(Column.Kind.TIMESTAMP, 1, 1) : text();
            case DURATION -> new Column(Column.Kind.DURATION, 1, 1);
            case NUMBER ->
                variable.codes().isPresent()
                        ? text()
                        : Column.of(variable.valueType(), variable.array().location(), timesAsSteps);
            default -> Column.of(variable.valueType(), variable.array().location(), timesAsSteps);
        };
    }

    /** Returns the kind of the labels that were read: text if Spark's timestamps cannot represent all of them. */
    static Column ofLabels(CfVariable variable, CfValues labels) {
        return variable.kind() == CfKind.TIME
                        && labels.times().stream().flatMap(Optional::stream).anyMatch(time -> micros(time)
                                .isEmpty())
                ? text()
                : of(variable);
    }

    private static Column text() {
        return new Column(Column.Kind.TEXT, 1, 1);
    }

    /** Whether the calendar agrees with {@code java.time} from the Gregorian reform of 1582 on. */
    private static boolean isGregorian(CfVariable variable) {
        return switch (variable.timeUnits().orElseThrow().calendar()) {
            case STANDARD, PROLEPTIC_GREGORIAN -> true;
            default -> false;
        };
    }

    /**
     * Converts elements.
     *
     * @throws UnsupportedException if Spark's timestamps do not have a moment
     */
    static Elements elements(CfVariable variable, Column column, CfValues values) {
        boolean[] missing = values.missing();
        if (variable.kind() == CfKind.TIME && column.kind() == Column.Kind.TEXT) {
            String[] texts = new String[missing.length];
            for (int i = 0; i < texts.length; i++) {
                texts[i] = values.times().get(i).map(CfDateTime::toString).orElse("");
            }
            return new Elements(texts, missing);
        } else if (variable.kind() == CfKind.TIME || variable.kind() == CfKind.DURATION) {
            long[] micros = new long[missing.length];
            for (int i = 0; i < micros.length; i++) {
                micros[i] = missing[i] ? 0 : micros(variable, values, i);
            }
            return new Elements(micros, missing);
        } else if (variable.codes().isPresent()) {
            return meanings(variable.codes().get(), values, missing);
        }
        return new Elements(values.values().array(), missing);
    }

    /** Returns a time span in microseconds, or a moment in microseconds since 1970. */
    private static long micros(CfVariable variable, CfValues values, int i) {
        if (variable.kind() == CfKind.DURATION) {
            Duration span = values.durations().get(i).orElseThrow();
            return micros(span)
                    .orElseThrow(() -> new UnsupportedException(variable.array().location()
                            + ": expected time spans whose microseconds fit in 64 bits, as Spark's intervals, found the"
                            + " seconds " + span.getSeconds()));
        }
        CfDateTime time = values.times().get(i).orElseThrow();
        return micros(time)
                .orElseThrow(() -> new UnsupportedException(variable.array().location()
                        + ": expected moments since 1582 whose microseconds since 1970 fit in 64 bits, as Spark's"
                        + " timestamps, found " + time));
    }

    /** Returns the microseconds since 1970; empty if Spark's timestamps do not have the moment. */
    private static OptionalLong micros(CfDateTime time) {
        Optional<LocalDateTime> local = time.toLocalDateTime();
        return local.isEmpty()
                ? OptionalLong.empty()
                : micros(Duration.ofSeconds(
                        local.get().toEpochSecond(ZoneOffset.UTC), local.get().getNano()));
    }

    private static OptionalLong micros(Duration span) {
        try {
            long micros = LabelColumn.micros(span);
            return micros == NumpyTimeType.NOT_A_TIME ? OptionalLong.empty() : OptionalLong.of(micros);
        } catch (ArithmeticException e) {
            return OptionalLong.empty();
        }
    }

    /** Replaces codes by their meanings; codes without a meaning become null. */
    private static Elements meanings(CfFlags codes, CfValues numbers, boolean[] missing) {
        String[] texts = new String[missing.length];
        for (int i = 0; i < texts.length; i++) {
            Optional<String> meaning = codes.meaning(numbers, i);
            texts[i] = meaning.orElse("");
            missing[i] = meaning.isEmpty();
        }
        return new Elements(texts, missing);
    }
}
