package dev.shardkit.ome.metadata;

import dev.shardkit.ome.json.Members;
import dev.shardkit.ome.json.MembersWriter;
import dev.shardkit.spi.json.Json;
import java.util.List;

/**
 * A named set of axes, to which coordinates refer (OME-Zarr 0.6, section "coordinateSystems").
 *
 * @param name the name
 * @param axes the axes, in the order of coordinates
 * @param others members that the specification does not define
 */
public record CoordinateSystem(String name, List<Axis> axes, Json.Obj others) {
    /** Copies {@code axes}. */
    public CoordinateSystem {
        axes = List.copyOf(axes);
    }

    static CoordinateSystem parse(Members members) {
        return new CoordinateSystem(members.string("name"), members.list("axes", Axis::of), members.others());
    }

    Json.Obj toJson() {
        return new MembersWriter()
                .with("name", Json.of(name))
                .with("axes", axes, Axis::toJson)
                .build(others);
    }
}
