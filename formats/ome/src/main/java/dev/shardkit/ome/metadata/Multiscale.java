package dev.shardkit.ome.metadata;

import dev.shardkit.ome.json.Members;
import dev.shardkit.ome.json.MembersWriter;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The description of an image in several resolutions (section "multiscales").
 *
 * @param name the name of the image
 * @param axes the axes of the arrays, in the order of their dimensions; in 0.6, the axes of the output coordinate
 *     system of the datasets
 * @param coordinateSystems all coordinate systems; empty before 0.6
 * @param datasets the resolutions, the finest first
 * @param transformations steps that apply to all datasets after their own steps; in 0.6, steps to other coordinate
 *     systems
 * @param type the downscaling method of the lower resolutions, such as {@code mean}
 * @param metadata details of that method
 * @param others members that the specification does not define
 */
public record Multiscale(
        Optional<String> name,
        List<Axis> axes,
        List<CoordinateSystem> coordinateSystems,
        List<Dataset> datasets,
        List<CoordinateTransformation> transformations,
        Optional<String> type,
        Optional<Json> metadata,
        Json.Obj others) {
    private static final String SYSTEMS = "coordinateSystems";

    /** Copies the lists. */
    public Multiscale {
        axes = List.copyOf(axes);
        coordinateSystems = List.copyOf(coordinateSystems);
        datasets = List.copyOf(datasets);
        transformations = List.copyOf(transformations);
    }

    /** Creates an image of version 0.4 or 0.5 with only the required members. */
    public static Multiscale of(List<Axis> axes, List<Dataset> datasets) {
        return new Multiscale(
                Optional.empty(),
                axes,
                List.of(),
                datasets,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Json.object());
    }

    /** Returns this image with another name. */
    public Multiscale withName(String newName) {
        return new Multiscale(
                Optional.of(newName), axes, coordinateSystems, datasets, transformations, type, metadata, others);
    }

    /** Returns this image with another downscaling method. */
    public Multiscale withMethod(String newType, Json newMetadata) {
        return new Multiscale(
                name,
                axes,
                coordinateSystems,
                datasets,
                transformations,
                Optional.of(newType),
                Optional.of(newMetadata),
                others);
    }

    /** Parses the description of an image. */
    static Multiscale of(Members members) {
        Optional<String> name = members.optionalString("name");
        List<Dataset> datasets = members.list("datasets", Dataset::of);
        if (datasets.isEmpty()) {
            throw members.error("datasets", "at least one dataset", "none");
        }
        List<CoordinateSystem> coordinateSystems = members.optionalList(SYSTEMS, CoordinateSystem::parse);
        List<Axis> axes = coordinateSystems.isEmpty()
                ? members.list("axes", Axis::of)
                : outputAxes(members, coordinateSystems, datasets);
        return new Multiscale(
                name,
                axes,
                coordinateSystems,
                datasets,
                members.optionalList("coordinateTransformations", Transformations::parse),
                members.optionalString("type"),
                members.optionalJson("metadata"),
                members.others());
    }

    /**
     * Returns the axes of the output coordinate system of the first dataset. If the dataset does not name its output,
     * uses the first system.
     */
    private static List<Axis> outputAxes(
            Members members, List<CoordinateSystem> coordinateSystems, List<Dataset> datasets) {
        Optional<String> output = datasets.get(0).transformations().stream()
                .findFirst()
                .flatMap(step -> step.others().get("output"))
                .flatMap(Multiscale::systemName);
        if (output.isEmpty()) {
            return coordinateSystems.get(0).axes();
        }
        return coordinateSystems.stream()
                .filter(system -> system.name().equals(output.get()))
                .findFirst()
                .orElseThrow(() -> members.error(
                        SYSTEMS,
                        "the coordinate system \"" + output.get() + "\" of the first dataset",
                        names(coordinateSystems)))
                .axes();
    }

    /** Returns the name in the member {@code output}, which is a string or an object with a name. */
    private static Optional<String> systemName(Json output) {
        Optional<Json> name = output instanceof Json.Obj o ? o.get("name") : Optional.of(output);
        return name.filter(Json.Str.class::isInstance).map(text -> ((Json.Str) text).value());
    }

    /** Returns the names of the first eight systems, separated by commas. */
    private static String names(List<CoordinateSystem> coordinateSystems) {
        List<String> names = new ArrayList<>();
        coordinateSystems.stream().limit(8).forEach(system -> names.add(system.name()));
        return String.join(", ", names);
    }

    Json.Obj toJson() {
        MembersWriter writer = new MembersWriter().with("name", name.map(Json::of));
        if (coordinateSystems.isEmpty()) {
            writer.with("axes", axes, Axis::toJson);
        } else {
            writer.with(SYSTEMS, coordinateSystems, CoordinateSystem::toJson);
        }
        return writer.with("datasets", datasets, Dataset::toJson)
                .withUnlessEmpty("coordinateTransformations", transformations, Transformations::toJson)
                .with("type", type.map(Json::of))
                .with("metadata", metadata)
                .build(others);
    }
}
