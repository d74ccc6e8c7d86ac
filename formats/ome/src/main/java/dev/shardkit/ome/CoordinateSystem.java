package dev.shardkit.ome;

import dev.shardkit.spi.json.Json;
import java.util.List;

/**
 * A named set of axes (0.6, section "coordinateSystems").
 *
 * @param others the members that this class does not know
 */
public record CoordinateSystem(String name, List<Axis> axes, Json.Obj others) {
    /** Copies {@code axes}. */
    public CoordinateSystem {
        axes = List.copyOf(axes);
    }

    static CoordinateSystem of(Members members) {
        return new CoordinateSystem(members.string("name"), members.list("axes", Axis::of), members.others());
    }

    Json.Obj json() {
        return new MembersWriter()
                .with("name", Json.of(name))
                .with("axes", axes, Axis::json)
                .and(others);
    }
}
