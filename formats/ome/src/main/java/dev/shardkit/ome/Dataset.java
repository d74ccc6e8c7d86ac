package dev.shardkit.ome;

import dev.shardkit.spi.json.Json;
import java.util.List;

/**
 * One resolution of an image: an array and its place in space (section "multiscales").
 *
 * @param path the path of the array, relative to the image's group
 * @param transformations the steps from indices to physical coordinates: a scale, then perhaps a translation
 * @param others the members that this class does not know
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

    static Dataset of(Members members) {
        return new Dataset(
                members.string("path"),
                members.list("coordinateTransformations", Transformations::of),
                members.others());
    }

    Json.Obj json() {
        return new MembersWriter()
                .with("path", Json.of(path))
                .with("coordinateTransformations", transformations, Transformations::json)
                .and(others);
    }
}
