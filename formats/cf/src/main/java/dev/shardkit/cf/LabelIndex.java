package dev.shardkit.cf;

import dev.shardkit.NdArray;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The labels of a coordinate with one dimension: finds indices by binary search where the labels are sorted, by a scan
 * elsewhere. Immutable.
 */
final class LabelIndex {
    /** The order of labels. */
    private enum Order {
        ASCENDING,
        DESCENDING,
        /** The labels are not sorted, or some are missing or equal. */
        NONE
    }

    private final CfVariable coordinate;
    private final CfKind kind;
    private final boolean isFloat;
    /** Numbers, rounded to {@code double}; empty for other kinds. */
    private final double[] numbers;
    /**
     * Moments, time spans, texts, or integers of which {@code double} may not hold all ({@link BigDecimal}); otherwise
     * empty. {@link Missing#LABEL} where an element is missing.
     */
    private final Comparable<?>[] keys;

    private final boolean isExact;

    private final int count;
    private final Order order;

    private LabelIndex(CfVariable coordinate, CfValues labels) {
        this.coordinate = coordinate;
        this.kind = labels.kind();
        this.count = labels.count();
        this.isFloat = labels.values().array() instanceof float[];
        this.numbers = kind == CfKind.NUMBER ? labels.doubles() : new double[0];
        this.isExact = kind == CfKind.NUMBER && exceedsDouble(labels.values(), numbers);
        this.keys = kind == CfKind.NUMBER && !isExact ? new Comparable<?>[0] : keys(labels);
        this.order = order();
    }

    /**
     * Returns the index of a coordinate.
     *
     * @param labels reads the labels, unless they have been read
     * @throws IllegalArgumentException if the elements of the coordinate are no labels; then nothing is read
     */
    static LabelIndex of(CfVariable coordinate, Supplier<CfValues> labels) {
        if (coordinate.kind() == CfKind.OTHER || coordinate.kind() == CfKind.BOOLEAN) {
            throw new IllegalArgumentException(coordinate.location()
                    + ": expected numbers, times or texts as labels, found elements of the kind " + coordinate.kind());
        }
        return new LabelIndex(coordinate, labels.get());
    }

    /** Returns whether labels are integers of which some may be rounded as {@code double}. */
    private static boolean exceedsDouble(NdArray labels, double[] rounded) {
        return NumberArrayReader.of(labels).isWhole()
                && Arrays.stream(rounded).anyMatch(number -> Math.abs(number) >= 0x1p53);
    }

    private Comparable<?>[] keys(CfValues labels) {
        Comparable<?>[] result = new Comparable<?>[count];
        for (int i = 0; i < count; i++) {
            Optional<? extends Comparable<?>> key =
                    switch (kind) {
                        case TIME -> labels.timeAt(i);
                        case DURATION -> labels.durationAt(i);
                        case NUMBER ->
                            labels.isMissingAt(i)
                                    ? Optional.empty()
                                    : Optional.of(NumberArrayReader.of(labels.values())
                                            .exact(i));
                        default -> labels.isMissingAt(i) ? Optional.empty() : Optional.of(labels.textAt(i));
                    };
            result[i] = key.isPresent() ? key.get() : Missing.LABEL;
        }
        return result;
    }

    /** Stands for a missing label. */
    private enum Missing {
        LABEL
    }

    private boolean isMissing(int i) {
        return keys.length > 0 ? keys[i] == Missing.LABEL : Double.isNaN(numbers[i]);
    }

    private Order order() {
        boolean ascends = true;
        boolean descends = true;
        for (int i = 0; i < count; i++) {
            if (isMissing(i)) {
                return Order.NONE;
            }
            int step = i == 0 ? 0 : compare(i - 1, label(i));
            ascends &= i == 0 || step < 0;
            descends &= i == 0 || step > 0;
        }
        return ascends ? Order.ASCENDING : descends ? Order.DESCENDING : Order.NONE;
    }

    private Object label(int i) {
        return keys.length > 0 ? keys[i] : (Object) numbers[i];
    }

    /** Compares a label with a value of the same kind. */
    @SuppressWarnings("unchecked") // all keys of an index have the class of its kind
    private int compare(int i, Object value) {
        return keys.length > 0
                ? ((Comparable<Object>) keys[i]).compareTo(value)
                : Double.compare(numbers[i] + 0.0, (Double) value + 0.0); // zeros of both signs are equal
    }

    private Comparable<?> distance(int i, Object value) {
        if (kind == CfKind.TIME) {
            return ((CfDateTime) keys[i]).until((CfDateTime) value).abs();
        } else if (kind == CfKind.DURATION) {
            return ((Duration) keys[i]).minus((Duration) value).abs();
        } else if (isExact) {
            return ((BigDecimal) keys[i]).subtract((BigDecimal) value).abs();
        }
        return Math.abs(numbers[i] - (Double) value);
    }

    @SuppressWarnings("unchecked") // distances of one index have one class
    private static int compareDistances(Comparable<?> a, Comparable<?> b) {
        return ((Comparable<Object>) a).compareTo(b);
    }

    /**
     * Returns a caller's value as a label of this coordinate.
     *
     * @throws IllegalArgumentException if the value is of another kind
     */
    Object value(Object label) {
        Optional<?> value =
                switch (kind) {
                    case NUMBER -> number(label);
                    case TIME -> time(label);
                    case DURATION -> Optional.of(label).filter(Duration.class::isInstance);
                    default -> Optional.of(label).filter(String.class::isInstance);
                };
        return value.orElseThrow(() -> new IllegalArgumentException(coordinate.location() + ": expected "
                + switch (kind) {
                    case NUMBER -> "a number";
                    case TIME ->
                        "a time (Instant, LocalDateTime, LocalDate, CfDateTime or a text such as 2000-01-31T12:00)";
                    case DURATION -> "a Duration";
                    default -> "a text";
                }
                + " as label, found " + label + " (" + label.getClass().getSimpleName() + ")"));
    }

    private Optional<? extends Comparable<?>> number(Object label) {
        if (!(label instanceof Number number) || Double.isNaN(number.doubleValue())) {
            return Optional.empty();
        } else if (isExact) {
            return Optional.of(exact(number));
        }
        return Optional.of(isFloat ? (double) number.floatValue() : number.doubleValue());
    }

    /** Returns a number exactly; the largest {@code double} for infinity, beyond all integers of 64 bits. */
    private static BigDecimal exact(Number number) {
        if (number instanceof BigDecimal decimal) {
            return decimal;
        } else if (number instanceof BigInteger integer) {
            return new BigDecimal(integer);
        } else if (number instanceof Long || number instanceof AtomicLong) {
            return BigDecimal.valueOf(number.longValue());
        }
        double value = number.doubleValue(); // exact for all other numbers of the JDK
        return new BigDecimal(Double.isInfinite(value) ? Math.copySign(Double.MAX_VALUE, value) : value);
    }

    private Optional<CfDateTime> time(Object label) {
        CfCalendar calendar = coordinate.timeUnits().orElseThrow().calendar();
        if (label instanceof CfDateTime time) {
            return Optional.of(time);
        } else if (label instanceof String text) {
            return Optional.of(parsed(() -> CfDateTime.parse(calendar, text)));
        }
        return parsed(() -> utc(label).map(time -> CfDateTime.of(calendar, time)));
    }

    /** Returns a time of java.time in UTC; empty for other objects. */
    private static Optional<LocalDateTime> utc(Object label) {
        if (label instanceof LocalDateTime time) {
            return Optional.of(time);
        } else if (label instanceof LocalDate date) {
            return Optional.of(date.atStartOfDay());
        } else if (label instanceof Instant instant) {
            return Optional.of(LocalDateTime.ofInstant(instant, ZoneOffset.UTC));
        } else if (label instanceof OffsetDateTime time) {
            return Optional.of(time.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime());
        } else if (label instanceof ZonedDateTime time) {
            return Optional.of(time.withZoneSameInstant(ZoneOffset.UTC).toLocalDateTime());
        }
        return Optional.empty();
    }

    /**
     * Returns the index of a label.
     *
     * @param tolerance the largest accepted distance; empty for any
     * @param period the period of cyclic labels; empty if they are not cyclic
     * @throws IllegalArgumentException if no label matches, or two equal ones do
     */
    int find(Object label, CfMatch match, Optional<Object> tolerance, OptionalDouble period) {
        Object value = value(label);
        if (kind == CfKind.TEXT && match != CfMatch.EXACT) {
            throw new IllegalArgumentException(
                    coordinate.location() + ": texts are found by EXACT only, not by " + match);
        }
        double turned = period.isPresent() ? ((Number) label).doubleValue() : 0;
        int found = period.isPresent() ? cyclic(turned, match, period.getAsDouble()) : find(value, match);
        if (found < 0) {
            throw notFound(label, match);
        }
        if (tolerance.isPresent()) {
            Comparable<?> distance = period.isPresent()
                    ? cyclicDistance(found, turned, period.getAsDouble()).length()
                    : distance(found, value);
            if (compareDistances(distance, limit(tolerance.get())) > 0) {
                throw new IllegalArgumentException(coordinate.location() + ": the label " + label(found)
                        + " is further than " + tolerance.get() + " from " + label);
            }
        }
        return found;
    }

    private Comparable<?> limit(Object tolerance) {
        if (kind == CfKind.NUMBER && tolerance instanceof Number number) {
            return isExact ? exact(number) : (Comparable<?>) number.doubleValue();
        } else if (kind != CfKind.NUMBER && tolerance instanceof Duration duration) {
            return duration;
        }
        throw new IllegalArgumentException(coordinate.location() + ": expected "
                + (kind == CfKind.NUMBER ? "a number" : "a Duration") + " as tolerance, found " + tolerance);
    }

    private IllegalArgumentException notFound(Object label, CfMatch match) {
        String all = count == 0 ? "none" : "from " + label(0) + " to " + label(count - 1);
        return new IllegalArgumentException(
                coordinate.location() + ": no label matches " + label + " by " + match + "; labels: " + all);
    }

    private int find(Object value, CfMatch match) {
        if (order == Order.NONE) {
            return scan(value, match);
        }
        // before and after (the label itself, if it is there) count labels in ascending order; position() turns this
        // into an index of the dimension
        int after = lowest(i -> compare(position(i), value) >= 0);
        boolean isEqual = after < count && compare(position(after), value) == 0;
        int before = isEqual ? after : after - 1;
        int found =
                switch (match) {
                    case EXACT -> isEqual ? after : -1;
                    case BEFORE -> before;
                    case AFTER -> after < count ? after : -1;
                    case NEAREST -> {
                        if (before < 0 || after >= count) {
                            yield before < 0 ? (count == 0 ? -1 : 0) : before;
                        }
                        yield compareDistances(distance(position(before), value), distance(position(after), value)) < 0
                                ? before
                                : after;
                    }
                };
        return found < 0 ? -1 : position(found);
    }

    /** Returns the index in the dimension of a label that is counted in ascending order. */
    private int position(int ascending) {
        return order == Order.DESCENDING ? count - 1 - ascending : ascending;
    }

    /** Returns the first number for which a condition holds; if it holds for one, it must hold for all later ones. */
    private int lowest(IntPredicate holds) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = low + high >>> 1;
            if (holds.test(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private int scan(Object value, CfMatch match) {
        int best = -1;
        for (int i = 0; i < count; i++) {
            if (isMissing(i)) {
                continue;
            }
            int compared = compare(i, value);
            boolean isCandidate =
                    switch (match) {
                        case EXACT -> compared == 0;
                        case BEFORE -> compared <= 0;
                        case AFTER -> compared >= 0;
                        case NEAREST -> true;
                    };
            if (isCandidate && best >= 0 && compare(i, label(best)) == 0 && match == CfMatch.EXACT) {
                throw new IllegalArgumentException(coordinate.location() + ": the label " + value
                        + " occurs at the indices " + best + " and " + i + "; select by index");
            }
            best = isCandidate && (best < 0 || isBetter(i, best, value)) ? i : best;
        }
        return best;
    }

    private boolean isBetter(int i, int best, Object value) {
        if (kind == CfKind.TEXT) {
            return false;
        }
        int nearer = compareDistances(distance(i, value), distance(best, value));
        return nearer < 0 || nearer == 0 && compare(i, label(best)) > 0;
    }

    /**
     * How far a label lies ahead of a value, the shorter way round: at most half a period, in either direction. Adding
     * a turn rounds, so labels on another turn also equal the value if they are within {@link #slack}.
     */
    private record Distance(double ahead, boolean isEqual) {
        Double length() {
            return isEqual ? 0 : Math.abs(ahead);
        }
    }

    private Distance cyclicDistance(int i, double value, double period) {
        double turns = Math.rint((numbers[i] - value) / period);
        if (turns == 0) {
            double ahead = numbers[i] - (isFloat ? (float) value : value);
            return new Distance(ahead, ahead == 0);
        }
        double ahead = numbers[i] - value - turns * period;
        return new Distance(ahead, Math.abs(ahead) <= slack(value, period));
    }

    /** Returns two units in the last place of a period, or of a value beyond it; never more than those of float32. */
    private double slack(double value, double period) {
        double floats = 2 * Math.ulp((float) period);
        return isFloat ? floats : Math.min(floats, 2 * Math.ulp(Math.max(Math.abs(value), period)));
    }

    private void checkCyclic() {
        if (isExact) {
            throw new IllegalArgumentException(coordinate.location()
                    + ": expected labels of below 2^53 for a cyclic coordinate, found larger integers");
        }
    }

    private int cyclic(double value, CfMatch match, double period) {
        checkCyclic();
        int best = -1;
        double min = Double.POSITIVE_INFINITY;
        for (int i = 0; i < count; i++) {
            Distance way = cyclicDistance(i, value, period);
            double ahead = way.ahead();
            double distance = way.isEqual()
                    ? Math.abs(ahead)
                    : switch (match) {
                        case NEAREST -> Math.abs(ahead);
                        case EXACT -> Double.POSITIVE_INFINITY;
                        case AFTER -> ahead >= 0 ? ahead : ahead + period;
                        case BEFORE -> ahead <= 0 ? -ahead : period - ahead;
                    };
            boolean isGreater = match == CfMatch.NEAREST && distance == min && numbers[i] > numbers[best];
            if (distance < min || isGreater) {
                min = distance;
                best = i;
            }
        }
        return best;
    }

    /** Runs a conversion of a caller's label to a time. A {@link DateTimeException} then names the coordinate. */
    private <T> T parsed(Supplier<T> conversion) {
        try {
            return conversion.get();
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(coordinate.location() + ": " + e.getMessage(), e);
        }
    }

    /**
     * Returns the indices of the times in a period, in the order of the dimension.
     *
     * @throws IllegalArgumentException if labels are no times, or the text names no period
     */
    int[] within(String period) {
        if (kind != CfKind.TIME) {
            throw new IllegalArgumentException(coordinate.location() + ": expected times as labels for the period "
                    + period + ", found labels of the kind " + kind);
        }
        CfCalendar calendar = coordinate.timeUnits().orElseThrow().calendar();
        CalendarPeriod parsed = parsed(() -> CalendarPeriod.parse(calendar, period));
        return between(parsed.first(), parsed.last());
    }

    /** Returns the indices of labels from one to another, inclusive, in the order of the dimension. */
    int[] range(Object from, Object to) {
        if (kind == CfKind.TIME && (isPeriod(from) || isPeriod(to))) {
            CalendarPeriod a = period(from);
            CalendarPeriod b = period(to);
            return a.first().compareTo(b.last()) <= 0 ? between(a.first(), b.last()) : between(b.first(), a.last());
        }
        return between(value(from), value(to));
    }

    private static boolean isPeriod(Object label) {
        return label instanceof String text && CalendarPeriod.matches(text);
    }

    /** Returns the period that a text names; for other labels, that of the moment alone. */
    private CalendarPeriod period(Object label) {
        if (isPeriod(label)) {
            CfCalendar calendar = coordinate.timeUnits().orElseThrow().calendar();
            return parsed(() -> CalendarPeriod.parse(calendar, (String) label));
        }
        CfDateTime moment = (CfDateTime) value(label);
        return new CalendarPeriod(moment, moment);
    }

    /** Returns the indices of labels between two values, inclusive, in the order of the dimension. */
    private int[] between(Object a, Object b) {
        if (order == Order.NONE) {
            return IntStream.range(0, count)
                    .filter(i -> !isMissing(i) && isBetween(i, a, b))
                    .toArray();
        }
        boolean isAscending = compareValues(a, b) <= 0;
        Object low = isAscending ? a : b;
        Object high = isAscending ? b : a;
        int first = lowest(i -> compare(position(i), low) >= 0);
        int end = lowest(i -> compare(position(i), high) > 0);
        int[] found =
                IntStream.range(first, Math.max(first, end)).map(this::position).toArray();
        Arrays.sort(found);
        return found;
    }

    private boolean isBetween(int i, Object a, Object b) {
        int first = compare(i, a);
        int second = compare(i, b);
        return first >= 0 && second <= 0 || first <= 0 && second >= 0;
    }

    @SuppressWarnings("unchecked") // value() has made both of the same class
    private static int compareValues(Object a, Object b) {
        return ((Comparable<Object>) a).compareTo(b);
    }

    /** Returns the indices of cyclic labels from {@code from} eastwards to {@code to}, in this order. */
    int[] cyclicRange(double from, double to, double period) {
        checkCyclic();
        double width = to - from;
        if (width < 0) {
            width -= period * Math.floor(width / period);
            width = period - width <= slack(Math.max(Math.abs(from), Math.abs(to)), period) ? 0 : width; // whole turns
        }
        double limit = Math.min(width, period); // beyond a full turn, each label counts once
        double[] ahead = new double[count];
        boolean[] isInside = new boolean[count];
        for (int i = 0; i < count; i++) {
            Distance way = cyclicDistance(i, from, period);
            ahead[i] = way.isEqual() ? 0 : way.ahead() < 0 ? way.ahead() + period : way.ahead();
            isInside[i] = ahead[i] <= limit || cyclicDistance(i, to, period).isEqual();
        }
        return IntStream.range(0, count)
                .filter(i -> isInside[i])
                .boxed()
                .sorted((a, b) -> Double.compare(ahead[a], ahead[b]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** Returns whether labels are numbers. */
    boolean isNumeric() {
        return kind == CfKind.NUMBER;
    }
}
