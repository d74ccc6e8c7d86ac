package dev.shardkit.ome.metadata;

import dev.shardkit.ome.json.Members;
import dev.shardkit.ome.json.MembersWriter;
import dev.shardkit.spi.json.Json;
import java.util.List;

/**
 * One resolution of an image: an array and its position in space (section "multiscales").
 *
 * @param path the path of the array, relative to the image's group
 * @param transformations the steps from indices to physical coordinates: a scale, then an optional translation
 * @param others members that the specification does not define
 */
public record Dataset(String path, List<CoordinateTransformation> transformations, Json.Obj others) {
    /** Copies {@code transformations}. */
    public Dataset {
        transformations = List.copyOf(transformations);
    }

    /** Creates a dataset with a scale and a translation. */
    public static Dataset of(String path, List<Double> scale, List<Double> translation) {
        return new Dataset(
                path,
                List.of(CoordinateTransformation.scale(scale), CoordinateTransformation.translation(translation)),
                Json.object());
    }

    /** Parses a dataset. */
    static Dataset of(Members members) {
        return new Dataset(
                members.string("path"),
                members.list("coordinateTransformations", Transformations::parse),
                members.others());
    }

    Json.Obj toJson() {
        return new MembersWriter()
                .with("path", Json.of(path))
                .with("coordinateTransformations", transformations, Transformations::toJson)
                .build(others);
    }
}
