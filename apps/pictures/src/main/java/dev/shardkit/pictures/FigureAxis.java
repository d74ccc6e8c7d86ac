package dev.shardkit.pictures;

import dev.shardkit.cf.CfDateTime;
import dev.shardkit.cf.CfKind;
import dev.shardkit.cf.CfSelection;
import dev.shardkit.cf.CfValues;
import dev.shardkit.cf.CfVariable;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.json.Json;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One side of a {@link Figure}: the elements that are drawn along a dimension, and the labels of its coordinate. If the
 * labels are numbers that ascend or descend, the ticks are at round numbers, even if these lie between elements. For
 * all other labels, such as times and texts, the ticks are at elements. Immutable.
 */
final class FigureAxis {
    // Standard names of the CF conventions for the two horizontal directions.
    private static final Set<String> X_NAMES = Set.of("longitude", "projection_x_coordinate", "grid_longitude");
    private static final Set<String> Y_NAMES = Set.of("latitude", "projection_y_coordinate", "grid_latitude");

    private final String dimension;
    private final Optional<CfVariable> coordinate;
    private final Optional<CfValues> labels;
    private final long length;
    private final long step;
    private final Order order;

    /** The order of the labels in the array; NONE if they neither ascend nor descend. */
    private enum Order {
        ASCENDING,
        DESCENDING,
        NONE
    }

    /**
     * A tick.
     *
     * @param at the distance from the middle of the first sample (the first element that is drawn), in samples
     */
    record Tick(double at, String label) {}

    /** Creates a side that draws each {@code step}-th element. */
    private FigureAxis(
            String dimension, Optional<CfVariable> coordinate, Optional<CfValues> labels, long length, long step) {
        this.dimension = dimension;
        this.coordinate = coordinate;
        this.labels = labels;
        this.length = length;
        this.step = step;
        this.order = labels.map(FigureAxis::order).orElse(Order.NONE);
    }

    /** Returns the side of a dimension, with all its elements. Reads the labels. */
    static FigureAxis of(CfSelection selection, String dimension, long length) {
        Optional<CfVariable> coordinate = coordinate(selection.variable(), dimension);
        return new FigureAxis(dimension, coordinate, coordinate.map(c -> selection.labels(c.name())), length, 1);
    }

    /** Returns the first coordinate of the variable that has labels for this dimension only. */
    static Optional<CfVariable> coordinate(CfVariable variable, String dimension) {
        return variable.coordinates().stream()
                .filter(c -> c.dimensions().equals(List.of(dimension)))
                .filter(c -> c.kind() != CfKind.OTHER && c.kind() != CfKind.BOOLEAN)
                .findFirst();
    }

    /** Returns this side with each {@code newStep}-th element. */
    FigureAxis withStep(long newStep) {
        return new FigureAxis(dimension, coordinate, labels, length, newStep);
    }

    /**
     * Returns the strict order of numbers or times; NONE if one of them is missing, or if the labels are of another
     * kind.
     */
    private static Order order(CfValues labels) {
        boolean ascends = labels.kind() == CfKind.NUMBER || labels.kind() == CfKind.TIME;
        boolean descends = ascends;
        double[] numbers = labels.kind() == CfKind.NUMBER ? labels.doubles() : new double[0];
        for (int i = 1; i < labels.count() && (ascends || descends); i++) {
            int compared = 0;
            if (labels.kind() == CfKind.NUMBER) {
                compared = Double.isFinite(numbers[i - 1]) && Double.isFinite(numbers[i])
                        ? Double.compare(numbers[i], numbers[i - 1])
                        : 0;
            } else {
                Optional<CfDateTime> before = labels.times().get(i - 1);
                Optional<CfDateTime> at = labels.times().get(i);
                compared = before.isPresent() && at.isPresent() ? at.get().compareTo(before.get()) : 0;
            }
            ascends &= compared > 0;
            descends &= compared < 0;
        }
        // If there is only one label, the loop compares nothing, so its value is checked here.
        boolean isFirstFinite = numbers.length == 0 || Double.isFinite(numbers[0]);
        return ascends && isFirstFinite ? Order.ASCENDING : descends && isFirstFinite ? Order.DESCENDING : Order.NONE;
    }

    long length() {
        return length;
    }

    /** Returns the number of elements that are drawn. */
    int samples() {
        return Math.toIntExact((length - 1) / step + 1);
    }

    /**
     * Returns whether the elements must be drawn in reverse order, so that labels increase to the right or upwards;
     * downwards if the coordinate has the attribute {@code positive: down}. Without reversal, elements go to the right
     * and downwards.
     */
    boolean isReversed(boolean isVertical) {
        boolean isDown = coordinate
                .flatMap(c -> c.attributes().get("positive"))
                .filter(Json.of("down")::equals)
                .isPresent();
        if (!isVertical) {
            return order == Order.DESCENDING;
        }
        return order == (isDown ? Order.DESCENDING : Order.ASCENDING);
    }

    /** Returns whether this is the east-west direction (CF conventions, sections 4.2 and 5.6). */
    boolean isX() {
        return is("X", X_NAMES, "degrees?_?(E|east)");
    }

    /** Returns whether this is the north-south direction. */
    boolean isY() {
        return is("Y", Y_NAMES, "degrees?_?(N|north)");
    }

    /** Returns whether the coordinate has this axis, one of these standard names, or these units (a pattern). */
    private boolean is(String axis, Set<String> names, String units) {
        return coordinate
                .filter(c ->
                        c.attributes().get("axis").filter(Json.of(axis)::equals).isPresent()
                                || c.standardName().filter(names::contains).isPresent()
                                || c.units().filter(text -> text.matches(units)).isPresent())
                .isPresent();
    }

    /** Returns the name of the coordinate or dimension, with the units of numbers. */
    String title() {
        return coordinate.map(FigureAxis::named).orElse(dimension);
    }

    /** Returns the name of a variable, with the units of numbers. */
    static String named(CfVariable variable) {
        return variable.name()
                + variable.units()
                        .filter(units -> variable.kind() == CfKind.NUMBER)
                        .map(units -> " [" + units + "]")
                        .orElse("");
    }

    /** Returns at most about {@code most} ticks, in the order of the elements. */
    List<Tick> ticks(int most) {
        boolean isScale = order != Order.NONE
                && length > 1
                && labels.filter(l -> l.kind() == CfKind.NUMBER).isPresent();
        return isScale ? scale(labels.orElseThrow().doubles(), most) : elements(most);
    }

    /** Returns ticks at round numbers. */
    private List<Tick> scale(double[] numbers, int most) {
        double first = numbers[0];
        double last = numbers[numbers.length - 1];
        List<Tick> ticks = new ArrayList<>();
        for (BigDecimal number : RoundNumbers.between(Math.min(first, last), Math.max(first, last), most)) {
            ticks.add(new Tick(place(numbers, number.doubleValue()) / step, RoundNumbers.text(number)));
        }
        return ticks;
    }

    /** Returns the index at which a number would stand among the sorted labels, interpolated between two labels. */
    private double place(double[] numbers, double number) {
        int low = 0;
        int high = numbers.length - 1;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (order == Order.ASCENDING ? numbers[middle] <= number : numbers[middle] >= number) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low + (number - numbers[low]) / (numbers[high] - numbers[low]);
    }

    /** Returns ticks at every n-th element. */
    private List<Tick> elements(int most) {
        long distance = (length + most - 1) / most;
        List<Tick> ticks = new ArrayList<>();
        for (long i = 0; i < length; i += distance) {
            int at = (int) i;
            ticks.add(new Tick((double) i / step, labels.map(l -> text(l, at)).orElse(String.valueOf(i))));
        }
        return labels.filter(l -> l.kind() == CfKind.TIME).isPresent() ? shortened(ticks) : ticks;
    }

    /** Removes the time of day if it is midnight in all times; otherwise the seconds, if they are zero in all times. */
    private static List<Tick> shortened(List<Tick> times) {
        for (String end : List.of("T00:00:00", ":00")) {
            if (times.stream().allMatch(tick -> tick.label().endsWith(end))) {
                return times.stream()
                        .map(tick -> new Tick(
                                tick.at(),
                                tick.label().substring(0, tick.label().length() - end.length())))
                        .toList();
            }
        }
        return times;
    }

    /** Returns the text of a value. */
    static String text(CfValues values, int i) {
        return switch (values.kind()) {
            case TIME -> values.times().get(i).map(CfDateTime::toString).orElse("-");
            case DURATION -> values.durations().get(i).map(Object::toString).orElse("-");
            case TEXT -> values.missing()[i] ? "-" : values.values().strings()[i];
            case NUMBER -> values.missing()[i] ? "-" : number(values, i);
            case BOOLEAN -> Boolean.toString(values.values().booleans()[i]);
            case OTHER -> "-";
        };
    }

    /** Returns the text of a number, without {@code .0} if it is whole. */
    private static String number(CfValues values, int i) {
        Object array = values.values().array();
        if (values.values().dataType().number().orElseThrow() instanceof IntegerFormat format) {
            return format.text(format.value(Array.getLong(array, i)));
        }
        String text = Array.get(array, i).toString();
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }
}
