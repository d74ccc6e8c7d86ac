package dev.shardkit.ome;

import dev.shardkit.spi.json.Json;
import java.util.Optional;

/**
 * An axis of an image, one for each dimension of its arrays, in their order.
 *
 * @param unit the unit of coordinates along the axis, such as {@code micrometer}
 * @param others the members that this class does not know
 */
public record Axis(String name, Optional<AxisType> type, Optional<String> unit, Json.Obj others) {
    /** Creates an axis without a unit. */
    public static Axis of(String name, AxisType type) {
        return new Axis(name, Optional.of(type), Optional.empty(), Json.object());
    }

    /** Creates an axis whose name tells its type: x, y and z are space, t is time, c are channels; others have none. */
    public static Axis named(String name) {
        return switch (name) {
            case "x", "y", "z" -> of(name, AxisType.Standard.SPACE);
            case "t" -> of(name, AxisType.Standard.TIME);
            case "c" -> of(name, AxisType.Standard.CHANNEL);
            default -> new Axis(name, Optional.empty(), Optional.empty(), Json.object());
        };
    }

    /** Creates a dimension of space. */
    public static Axis space(String name, String unit) {
        return new Axis(name, Optional.of(AxisType.Standard.SPACE), Optional.of(unit), Json.object());
    }

    /** Whether this is a dimension of space. */
    public boolean isSpace() {
        return type.equals(Optional.of(AxisType.Standard.SPACE));
    }

    static Axis of(Members members) {
        return new Axis(
                members.string("name"),
                members.optionalString("type").map(AxisType::of),
                members.optionalString("unit"),
                members.others());
    }

    Json.Obj json() {
        return new MembersWriter()
                .with("name", Json.of(name))
                .with("type", type.map(t -> Json.of(t.text())))
                .with("unit", unit.map(Json::of))
                .and(others);
    }
}
