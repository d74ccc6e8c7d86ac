package dev.shardkit.cf.geo;

import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The Zarr conventions {@code proj:}, {@code spatial:} and {@code multiscales} (version 0.1) and their declarations in
 * the attribute {@code zarr_conventions}. Grid mappings of CF are not among them.
 */
enum Convention {
    PROJ("proj", "f17cb550-5864-4468-aeb7-f3180cfb622f", "Coordinate reference system information for geospatial data"),
    SPATIAL("spatial", "689b58e2-cf7b-45e0-9fff-9cfc0883d6b4", "Spatial coordinate information"),
    MULTISCALES("multiscales", "d35379db-88df-4056-af3a-620245f8e347", "Multiscale layout of zarr datasets");

    private static final String LIST = "zarr_conventions";

    private final String key;
    private final String uuid;
    private final String description;

    Convention(String key, String uuid, String description) {
        this.key = key;
        this.uuid = uuid;
        this.description = description;
    }

    /**
     * Returns whether attributes declare this convention: by its UUID or, in a declaration without one, by its name.
     * The version does not matter, because the attributes mean the same in all versions.
     */
    boolean isDeclared(Json.Obj attributes) {
        return declarations(attributes).stream().anyMatch(this::isThis);
    }

    /** Whether an item of the list declares this convention. */
    private boolean isThis(Json declaration) {
        return declaration instanceof Json.Obj object
                && (text(object, "uuid")
                        .map(uuid::equals)
                        .orElse(text(object, "name")
                                .map(name -> name.equals(key) || name.equals(key + ":") || name.equals("geo-" + key))
                                .orElse(false)));
    }

    /**
     * Returns the attributes with a declaration of this convention added. Conventions with a prefix are declared a
     * second time under the name that they had before version 0.1 ({@code proj:}, {@code spatial:}), because rioxarray
     * 0.23 looks only for that name.
     */
    Json.Obj declaredIn(Json.Obj attributes) {
        if (isDeclared(attributes)) {
            return attributes;
        }
        List<Json> declarations = new ArrayList<>(declarations(attributes));
        String repository = "zarr-conventions/" + key;
        declarations.add(Json.object()
                .with("uuid", Json.of(uuid))
                .with("name", Json.of(key))
                .with("description", Json.of(description))
                .with(
                        "schema_url",
                        Json.of("https://raw.githubusercontent.com/" + repository + "/refs/tags/v0.1/schema.json"))
                .with("spec_url", Json.of("https://github.com/" + repository + "/blob/v0.1/README.md")));
        if (this != MULTISCALES) {
            declarations.add(Json.object().with("uuid", Json.of(uuid)).with("name", Json.of(key + ":")));
        }
        return attributes.with(LIST, new Json.Arr(declarations));
    }

    private static List<Json> declarations(Json.Obj attributes) {
        return attributes.get(LIST).orElse(new Json.Null()) instanceof Json.Arr list ? list.items() : List.of();
    }

    static Optional<String> text(Json.Obj object, String name) {
        return object.get(name).filter(Json.Str.class::isInstance).map(json -> ((Json.Str) json).value());
    }
}
