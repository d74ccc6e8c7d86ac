package dev.shardkit.ome;

import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An image in several resolutions (section "multiscales").
 *
 * @param axes the axes of the arrays, in the order of their dimensions. In 0.6, those of the coordinate system that the
 *     datasets lead to
 * @param coordinateSystems all coordinate systems; empty before 0.6
 * @param datasets the resolutions, the finest first
 * @param transformations steps that apply to all datasets, after their own; in 0.6, steps to other coordinate systems
 * @param type the method that made the lower resolutions, such as {@code mean}
 * @param metadata details of that method
 * @param others the members that this class does not know
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
    public Multiscale withName(String other) {
        return new Multiscale(
                Optional.of(other), axes, coordinateSystems, datasets, transformations, type, metadata, others);
    }

    /** Returns this image with another statement of how its lower resolutions were made. */
    public Multiscale withMethod(String otherType, Json otherMetadata) {
        return new Multiscale(
                name,
                axes,
                coordinateSystems,
                datasets,
                transformations,
                Optional.of(otherType),
                Optional.of(otherMetadata),
                others);
    }

    static Multiscale of(Members members) {
        Optional<String> name = members.optionalString("name");
        List<Dataset> datasets = members.list("datasets", Dataset::of);
        if (datasets.isEmpty()) {
            throw members.wrong("datasets", "at least one dataset", "none");
        }
        List<CoordinateSystem> systems = members.optionalList(SYSTEMS, CoordinateSystem::of);
        List<Axis> axes = systems.isEmpty() ? members.list("axes", Axis::of) : axes(members, systems, datasets);
        return new Multiscale(
                name,
                axes,
                systems,
                datasets,
                members.optionalList("coordinateTransformations", Transformations::of),
                members.optionalString("type"),
                members.optionalJson("metadata"),
                members.others());
    }

    /** The axes of the coordinate system that the first dataset leads to; without a name, those of the first system. */
    private static List<Axis> axes(Members members, List<CoordinateSystem> systems, List<Dataset> datasets) {
        Optional<String> output = datasets.get(0).transformations().stream()
                .findFirst()
                .flatMap(step -> step.others().get("output"))
                .flatMap(Multiscale::systemName);
        if (output.isEmpty()) {
            return systems.get(0).axes();
        }
        return systems.stream()
                .filter(system -> system.name().equals(output.get()))
                .findFirst()
                .orElseThrow(() -> members.wrong(
                        SYSTEMS, "the coordinate system \"" + output.get() + "\" of the first dataset", names(systems)))
                .axes();
    }

    private static Optional<String> systemName(Json output) {
        Optional<Json> name = output instanceof Json.Obj o ? o.get("name") : Optional.of(output);
        return name.filter(Json.Str.class::isInstance).map(n -> ((Json.Str) n).value());
    }

    private static String names(List<CoordinateSystem> systems) {
        List<String> names = new ArrayList<>();
        systems.stream().limit(8).forEach(system -> names.add(system.name()));
        return String.join(", ", names);
    }

    Json.Obj json() {
        MembersWriter writer = new MembersWriter().with("name", name.map(Json::of));
        if (coordinateSystems.isEmpty()) {
            writer.with("axes", axes, Axis::json);
        } else {
            writer.with(SYSTEMS, coordinateSystems, CoordinateSystem::json);
        }
        return writer.with("datasets", datasets, Dataset::json)
                .withSome("coordinateTransformations", transformations, Transformations::json)
                .with("type", type.map(Json::of))
                .with("metadata", metadata)
                .and(others);
    }
}
