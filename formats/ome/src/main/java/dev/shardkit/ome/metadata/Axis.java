package dev.shardkit.ome.metadata;

import dev.shardkit.ome.json.Members;
import dev.shardkit.ome.json.MembersWriter;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An axis of an image. Axes correspond to the dimensions of the image's arrays, in the same order.
 *
 * @param name the name, such as {@code x}
 * @param type the type, such as space
 * @param unit the unit of coordinates along the axis, such as {@code micrometer}
 * @param others members that the specification does not define
 */
public record Axis(String name, Optional<AxisType> type, Optional<String> unit, Json.Obj others) {
    /** Creates an axis without a unit. */
    public static Axis of(String name, AxisType type) {
        return new Axis(name, Optional.of(type), Optional.empty(), Json.object());
    }

    /**
     * Creates an axis whose type follows from its name: x, y and z are space, t is time, c are channels. Other names
     * have no type.
     */
    public static Axis named(String name) {
        return switch (name) {
            case "x", "y", "z" -> of(name, AxisType.Standard.SPACE);
            case "t" -> of(name, AxisType.Standard.TIME);
            case "c" -> of(name, AxisType.Standard.CHANNEL);
            default -> new Axis(name, Optional.empty(), Optional.empty(), Json.object());
        };
    }

    /** Creates a dimension of space, with a unit such as {@code micrometer}. */
    public static Axis space(String name, String unit) {
        return of(name, AxisType.Standard.SPACE).withUnit(unit);
    }

    /** Creates a dimension of space without a unit. */
    public static Axis space(String name) {
        return of(name, AxisType.Standard.SPACE);
    }

    /** Creates a dimension of time, with a unit such as {@code second}. */
    public static Axis time(String name, String unit) {
        return of(name, AxisType.Standard.TIME).withUnit(unit);
    }

    /** Creates a dimension of time without a unit. */
    public static Axis time(String name) {
        return of(name, AxisType.Standard.TIME);
    }

    /** Creates a dimension of channels, which have no unit. */
    public static Axis channel(String name) {
        return of(name, AxisType.Standard.CHANNEL);
    }

    /** Returns this axis with another unit. */
    public Axis withUnit(String newUnit) {
        return new Axis(name, type, Optional.of(newUnit), others);
    }

    /**
     * Returns these axes with units that are given as text.
     *
     * @param units {@code AXIS=UNIT}, for the axis of that name, or {@code UNIT}, for all axes of space
     * @throws IllegalArgumentException if there is no axis of a name, or a unit is empty
     */
    public static List<Axis> withUnits(List<Axis> axes, List<String> units) {
        List<Axis> result = new ArrayList<>(axes);
        for (String item : units) {
            int equalsSign = item.indexOf('=');
            String unit = item.substring(equalsSign + 1);
            String name = item.substring(0, Math.max(0, equalsSign));
            if (unit.isBlank()
                    || equalsSign >= 0
                            && axes.stream().noneMatch(axis -> axis.name().equals(name))) {
                throw new IllegalArgumentException("expected UNIT for the axes of space or AXIS=UNIT with one of "
                        + axes.stream().map(Axis::name).toList() + ", found '" + item + "'");
            }
            result.replaceAll(
                    axis -> (equalsSign < 0 ? axis.isSpace() : axis.name().equals(name)) ? axis.withUnit(unit) : axis);
        }
        return result;
    }

    /** Returns whether this is a dimension of space. */
    public boolean isSpace() {
        return type.equals(Optional.of(AxisType.Standard.SPACE));
    }

    /** Parses an axis. */
    static Axis of(Members members) {
        return new Axis(
                members.string("name"),
                members.optionalString("type").map(AxisType::of),
                members.optionalString("unit"),
                members.others());
    }

    Json.Obj toJson() {
        return new MembersWriter()
                .with("name", Json.of(name))
                .with("type", type.map(axisType -> Json.of(axisType.text())))
                .with("unit", unit.map(Json::of))
                .build(others);
    }
}
