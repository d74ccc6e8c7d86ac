package dev.shardkit.cf.geo;

import dev.shardkit.ZarrGroup;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The levels of a pyramid by the convention {@code multiscales}: arrays, or groups of arrays, of the same area in
 * several resolutions. Immutable. Not the pyramids of OME-Zarr, whose attribute of the same name is a list.
 *
 * @param levels the levels, in the order of the layout; at least one
 * @param resampling how the levels were made, such as {@code average}, unless a level has a method of its own
 * @param notes the parts that contradict the convention and are ignored, each with the reason
 * @see <a href="https://github.com/zarr-conventions/multiscales">the convention multiscales</a>
 */
public record Overviews(List<Level> levels, Optional<String> resampling, List<String> notes) {
    private static final int MAX_LEVELS = 1000;

    /**
     * A level.
     *
     * @param path the path of the array or group, relative to the group of the pyramid
     * @param source the path of the level from which this one was made
     * @param scale the size of a cell, in cells of the source, for each dimension; empty if unknown
     * @param translation the offset of the first cell, in cells of the source, for each dimension; empty if unknown
     * @param resampling how this level was made
     * @param georeference transform and shape of this level, with the reference system of the group
     */
    public record Level(
            String path,
            Optional<String> source,
            List<Double> scale,
            List<Double> translation,
            Optional<String> resampling,
            Georeference georeference) {
        /**
         * Creates a level.
         *
         * @throws IllegalArgumentException if a path is not relative or leaves the group
         */
        public Level {
            requirePath(path);
            source.ifPresent(Level::requirePath);
            scale = List.copyOf(scale);
            translation = List.copyOf(translation);
        }

        /** Whether the level lacks the transform that the convention requires for a level with a source. */
        boolean lacksTransform() {
            return source.isPresent() && scale.isEmpty() && translation.isEmpty();
        }

        private static void requirePath(String path) {
            if (path.isEmpty() || List.of(path.split("/", -1)).stream().anyMatch(name -> name.matches("|\\.|\\.\\."))) {
                throw new IllegalArgumentException("expected a path below the group, such as 0/data, found " + path);
            }
        }

        /** Returns the level as an item of the list {@code layout}. */
        Json.Obj json() {
            Json.Obj object = Json.object().with("asset", Json.of(path));
            if (source.isPresent()) {
                object = object.with("derived_from", Json.of(source.get()));
            }
            Json.Obj transform = Json.object();
            if (!scale.isEmpty()) {
                transform = transform.with("scale", Json.of(scale));
            }
            if (!translation.isEmpty()) {
                transform = transform.with("translation", Json.of(translation));
            }
            if (!transform.members().isEmpty()) {
                object = object.with("transform", transform);
            }
            if (resampling.isPresent()) {
                object = object.with("resampling_method", Json.of(resampling.get()));
            }
            return georeference.grid(object);
        }
    }

    /**
     * Creates overviews.
     *
     * @throws IllegalArgumentException if there is no level
     */
    public Overviews {
        levels = List.copyOf(levels);
        notes = List.copyOf(notes);
        if (levels.isEmpty()) {
            throw new IllegalArgumentException("expected at least one level");
        }
    }

    /**
     * Returns the overviews that the attributes of a group describe; empty if there are none. Levels are not opened.
     */
    public static Optional<Overviews> of(ZarrGroup group) {
        Json.Obj attributes = group.attributes();
        if (!(attributes.get("multiscales").orElse(new Json.Null()) instanceof Json.Obj multiscales)
                || !(multiscales.get("layout").orElse(new Json.Null()) instanceof Json.Arr layout)) {
            return Optional.empty();
        }
        List<String> notes = new ArrayList<>();
        if (!Convention.MULTISCALES.isDeclared(attributes)) {
            notes.add("zarr_conventions does not declare multiscales; it is read all the same");
        }
        List<Level> levels = new ArrayList<>();
        if (layout.items().size() > MAX_LEVELS) {
            notes.add("levels after the first " + MAX_LEVELS + " are ignored");
        }
        Json.Obj inherited = inherited(attributes);
        for (Json item :
                layout.items().subList(0, Math.min(MAX_LEVELS, layout.items().size()))) {
            try {
                Level level = level(item, inherited);
                levels.add(level);
                if (level.lacksTransform()) {
                    notes.add("level " + level.path() + ": expected a transform from "
                            + level.source().get());
                }
            } catch (IllegalArgumentException e) {
                notes.add("a level is ignored: " + e.getMessage());
            }
        }
        return levels.isEmpty()
                ? Optional.empty()
                : Optional.of(new Overviews(levels, Convention.text(multiscales, "resampling_method"), notes));
    }

    /**
     * Returns the attributes that levels may inherit. The other attributes of a group, which may be many, would only
     * slow down the reader of each level.
     */
    private static Json.Obj inherited(Json.Obj attributes) {
        Map<String, Json> members = new LinkedHashMap<>();
        attributes.members().forEach((name, value) -> {
            if (name.startsWith("proj:") || name.startsWith("spatial:") || name.equals("zarr_conventions")) {
                members.put(name, value);
            }
        });
        return new Json.Obj(members);
    }

    /** Parses an item of the list {@code layout}. */
    private static Level level(Json item, Json.Obj inherited) {
        if (!(item instanceof Json.Obj object)) {
            throw new IllegalArgumentException("expected an object, found " + item.kind());
        }
        Json.Obj transform = object.get("transform").orElse(new Json.Null()) instanceof Json.Obj t ? t : Json.object();
        return new Level(
                Convention.text(object, "asset")
                        .orElseThrow(() -> new IllegalArgumentException("expected asset, a path")),
                Convention.text(object, "derived_from"),
                numbers(transform, "scale"),
                numbers(transform, "translation"),
                Convention.text(object, "resampling_method"),
                new GeoreferenceReader(object, inherited).read());
    }

    private static List<Double> numbers(Json.Obj object, String name) {
        List<Double> numbers = new ArrayList<>();
        List<Json> items =
                object.get(name).orElse(new Json.Null()) instanceof Json.Arr list ? list.items() : List.<Json>of();
        for (Json item : items) {
            if (!(item instanceof Json.Num number) || !number.isFinite()) {
                throw new IllegalArgumentException("expected " + name + " of numbers, found " + item.kind());
            }
            numbers.add(Double.parseDouble(number.lexeme()));
        }
        return numbers;
    }

    /**
     * Returns the attributes of a group with these overviews added. Call {@link Georeference#writeTo} before, for the
     * attributes that the levels share, such as the reference system. Transform and shape of the group are removed,
     * because each level has its own.
     *
     * @throws IllegalStateException if a level with a source has neither a scale nor a translation, which the
     *     convention requires
     */
    public Json.Obj writeTo(Json.Obj attributes) {
        for (Level level : levels) {
            if (level.lacksTransform()) {
                throw new IllegalStateException("level " + level.path() + ": expected a scale or a translation from "
                        + level.source().get());
            }
        }
        Json.Obj value = Json.object()
                .with(
                        "layout",
                        new Json.Arr(levels.stream().<Json>map(Level::json).toList()));
        if (resampling.isPresent()) {
            value = value.with("resampling_method", Json.of(resampling.get()));
        }
        Json.Obj root = Georeference.without(Georeference.without(attributes, "spatial:transform"), "spatial:shape");
        return Convention.MULTISCALES.declaredIn(root).with("multiscales", value);
    }
}
