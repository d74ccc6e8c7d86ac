package dev.shardkit.cf.geo;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrNode;
import dev.shardkit.cf.geo.Georeference.Registration;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/** Reads a {@link Georeference} from attributes, and notes what it has to ignore. Not thread-safe. */
final class GeoreferenceReader {
    /** The attributes of the array, or the members of a level. */
    private final Json.Obj own;
    /** The attributes of the group, for those that {@link #own} lacks; without transform and shape of a pyramid. */
    private final Json.Obj above;

    private final Optional<ZarrArray> array;
    private final Optional<ZarrGroup> parent;
    private final List<String> notes = new ArrayList<>();

    GeoreferenceReader(ZarrArray array, Optional<ZarrGroup> parent) {
        this.own = array.attributes();
        this.above = parent.map(ZarrGroup::attributes)
                .map(attributes -> attributes.get("multiscales").isPresent() ? withoutGrid(attributes) : attributes)
                .orElse(Json.object());
        this.array = Optional.of(array);
        this.parent = parent;
    }

    /** Reads a level of a pyramid: its own members, then those of the attributes that hold the pyramid. */
    GeoreferenceReader(Json.Obj level, Json.Obj above) {
        this.own = level;
        this.above = withoutGrid(above);
        this.array = Optional.empty();
        this.parent = Optional.empty();
    }

    /** Transform and shape of a group are those of one level of its pyramid, and wrong for the others. */
    private static Json.Obj withoutGrid(Json.Obj attributes) {
        return Georeference.without(Georeference.without(attributes, "spatial:transform"), "spatial:shape");
    }

    Georeference read() {
        for (Convention convention : List.of(Convention.PROJ, Convention.SPATIAL)) {
            String prefix = convention == Convention.PROJ ? "proj:" : "spatial:";
            Predicate<Json.Obj> has =
                    attributes -> attributes.members().keySet().stream().anyMatch(name -> name.startsWith(prefix));
            // without the group, it is unknown whether the group declares the convention
            boolean mayBeDeclaredAbove = array.isPresent() && parent.isEmpty();
            if (!mayBeDeclaredAbove
                    && (has.test(own) || has.test(above))
                    && !convention.isDeclared(own)
                    && !convention.isDeclared(above)) {
                notes.add("attributes begin with " + prefix + ", but zarr_conventions does not declare them;"
                        + " they are read all the same");
            }
        }
        Optional<Json.Obj> mapping = gridMapping();
        List<String> dimensions = dimensions();
        Registration registration = registration();
        Optional<AffineTransform> transform = transform();
        if (transform.isEmpty() && mapping.isPresent()) {
            transform = transformOfMapping(mapping.get());
            dimensions = transform.isPresent() && dimensions.isEmpty() ? lastDimensions() : dimensions;
        }
        return new Georeference(
                crs().or(() -> mapping.flatMap(this::crsOfMapping)).or(this::crsOfGdal),
                dimensions,
                transform,
                boundingBox(),
                shape(dimensions),
                registration,
                notes);
    }

    /** The three attributes of a reference system belong together: those of the array replace all of the group's. */
    private Optional<Crs> crs() {
        return crs(own).or(() -> crs(above));
    }

    private Optional<Crs> crs(Json.Obj attributes) {
        Optional<String> code = text(attributes, "proj:code").filter(text -> {
            boolean isCode = Crs.isCode(text);
            if (!isCode) {
                ignore("proj:code", "authority and code, such as EPSG:32633", Json.of(text));
            }
            return isCode;
        });
        Optional<String> wkt = text(attributes, "proj:wkt2");
        Optional<Json.Obj> projJson = Optional.empty();
        Json json = attributes.get("proj:projjson").orElse(new Json.Null());
        if (json instanceof Json.Obj object) {
            projJson = Optional.of(object);
        } else if (!(json instanceof Json.Null)) {
            ignore("proj:projjson", "an object", json);
        }
        return code.isEmpty() && wkt.isEmpty() && projJson.isEmpty()
                ? Optional.empty()
                : Optional.of(new Crs(code, wkt, projJson));
    }

    private List<String> dimensions() {
        Optional<List<Json>> list = list("spatial:dimensions", 2, "two names", Json.Str.class::isInstance);
        if (list.isEmpty()) {
            return List.of();
        }
        List<String> names =
                list.get().stream().map(json -> ((Json.Str) json).value()).toList();
        Optional<List<Optional<String>>> known = array.flatMap(ZarrArray::dimensionNames);
        if (known.isPresent() && !names.stream().map(Optional::of).allMatch(known.get()::contains)) {
            ignore("spatial:dimensions", "names of dimensions of the array", Json.of(names));
            return List.of();
        }
        return names;
    }

    /** GDAL's transform is about the last two dimensions, y and x. */
    private List<String> lastDimensions() {
        List<String> names = array.flatMap(ZarrArray::dimensionNames).orElse(List.of()).stream()
                .flatMap(Optional::stream)
                .toList();
        int rank = array.map(a -> a.shape().length).orElse(0);
        return names.size() == rank && rank >= 2 ? names.subList(rank - 2, rank) : List.of();
    }

    private Optional<AffineTransform> transform() {
        Optional<String> type = text(own, "spatial:transform_type").or(() -> text(above, "spatial:transform_type"));
        if (type.isPresent() && !type.get().equals("affine")) {
            ignore("spatial:transform", "the transform type affine", Json.of(type.get()));
            return Optional.empty();
        }
        return numbers("spatial:transform", 6)
                .flatMap(c -> affine("spatial:transform", c[0], c[1], c[2], c[3], c[4], c[5]));
    }

    private Optional<AffineTransform> affine(
            String attribute, double a, double b, double c, double d, double e, double f) {
        try {
            return Optional.of(new AffineTransform(a, b, c, d, e, f));
        } catch (IllegalArgumentException refused) {
            notes.add(attribute + " is ignored: " + refused.getMessage());
            return Optional.empty();
        }
    }

    private Optional<BoundingBox> boundingBox() {
        return numbers("spatial:bbox", 4).flatMap(b -> {
            try {
                return Optional.of(new BoundingBox(b[0], b[1], b[2], b[3]));
            } catch (IllegalArgumentException e) {
                notes.add("spatial:bbox is ignored: " + e.getMessage());
                return Optional.<BoundingBox>empty();
            }
        });
    }

    /** The shape of the array counts where it is known; a stated one that differs is outdated. */
    private List<Long> shape(List<String> dimensions) {
        List<Long> stated = list("spatial:shape", 2, "two lengths", GeoreferenceReader::isLength)
                .map(items -> items.stream()
                        .map(json -> Long.parseLong(((Json.Num) json).lexeme()))
                        .toList())
                .orElse(List.of());
        Optional<List<Optional<String>>> names = array.flatMap(ZarrArray::dimensionNames);
        if (names.isEmpty() || dimensions.isEmpty()) {
            return stated;
        }
        long[] lengths = array.get().shape();
        List<Long> actual = dimensions.stream()
                .map(name -> lengths[names.get().indexOf(Optional.of(name))])
                .toList();
        if (!stated.isEmpty() && !stated.equals(actual)) {
            ignore("spatial:shape", "the shape of the array, " + actual, Json.of(stated));
        }
        return actual;
    }

    private static boolean isLength(Json json) {
        return json instanceof Json.Num number && number.lexeme().matches("[0-9]{1,18}");
    }

    private Registration registration() {
        Optional<String> text = text(own, "spatial:registration").or(() -> text(above, "spatial:registration"));
        if (text.isPresent() && !text.get().matches("node|pixel")) {
            ignore("spatial:registration", "node or pixel", Json.of(text.get()));
        }
        return text.filter("node"::equals).map(node -> Registration.NODE).orElse(Registration.PIXEL);
    }

    /** Returns the attributes of the variable that {@code grid_mapping} names (CF conventions, section 5.6). */
    private Optional<Json.Obj> gridMapping() {
        Optional<String> name =
                text(own, "grid_mapping").map(text -> text.strip().split("[\\s:]", 2)[0]);
        if (name.isEmpty() || parent.isEmpty() || name.get().isEmpty()) {
            return Optional.empty();
        }
        try {
            return parent.get().find(name.get()).map(ZarrNode::attributes);
        } catch (IllegalArgumentException | MetadataException | UnsupportedException e) {
            notes.add("grid_mapping is ignored: " + e.getMessage());
            return Optional.empty();
        }
    }

    private Optional<Crs> crsOfMapping(Json.Obj mapping) {
        Optional<String> wkt = Convention.text(mapping, "crs_wkt").or(() -> Convention.text(mapping, "spatial_ref"));
        Optional<String> name = Convention.text(mapping, "grid_mapping_name");
        if (wkt.isEmpty() && name.isPresent()) {
            ignore("grid_mapping_name", "also crs_wkt or spatial_ref", Json.of(name.get()));
        }
        return wkt.map(Crs::ofWkt);
    }

    /** GDAL's geotransform is six numbers in one text, in the order {@code c a b f d e}. */
    private Optional<AffineTransform> transformOfMapping(Json.Obj mapping) {
        Optional<String> text = Convention.text(mapping, "GeoTransform");
        if (text.isEmpty()) {
            return Optional.empty();
        }
        String[] words = text.get().strip().split("\\s+", 7);
        try {
            double[] g = new double[6];
            for (int i = 0; i < 6; i++) {
                g[i] = Double.parseDouble(words[i]);
            }
            if (words.length == 6) {
                return affine("GeoTransform", g[1], g[2], g[0], g[4], g[5], g[3]);
            }
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            // the note below
        }
        ignore("GeoTransform", "six numbers", Json.of(text.get()));
        return Optional.empty();
    }

    /** GDAL's own attribute {@code _CRS} has the members wkt, projjson and url; the url is not read. */
    private Optional<Crs> crsOfGdal() {
        if (!(own.get("_CRS").orElse(new Json.Null()) instanceof Json.Obj system)) {
            return Optional.empty();
        }
        Optional<String> wkt = Convention.text(system, "wkt");
        Optional<Json.Obj> projJson =
                system.get("projjson").filter(Json.Obj.class::isInstance).map(Json.Obj.class::cast);
        return wkt.isEmpty() && projJson.isEmpty()
                ? Optional.empty()
                : Optional.of(new Crs(Optional.empty(), wkt, projJson));
    }

    private Optional<double[]> numbers(String name, int count) {
        return list(name, count, count + " numbers", json -> number(json).isPresent())
                .map(items -> items.stream()
                        .mapToDouble(json -> number(json).getAsDouble())
                        .toArray());
    }

    private static OptionalDouble number(Json json) {
        return json instanceof Json.Num number && number.isFinite()
                ? OptionalDouble.of(Double.parseDouble(number.lexeme()))
                : OptionalDouble.empty();
    }

    private Optional<List<Json>> list(String name, int count, String expected, Predicate<Json> item) {
        Optional<Json> value = own.get(name).or(() -> above.get(name));
        if (value.isEmpty()) {
            return Optional.empty();
        }
        if (value.get() instanceof Json.Arr list
                && list.items().size() == count
                && list.items().stream().allMatch(item)) {
            return Optional.of(list.items());
        }
        ignore(name, expected, value.get());
        return Optional.empty();
    }

    /** Null counts as absent, as the convention {@code proj:} has it. */
    private Optional<String> text(Json.Obj attributes, String name) {
        Json value = attributes.get(name).orElse(new Json.Null());
        if (value instanceof Json.Str text) {
            return Optional.of(text.value());
        }
        if (!(value instanceof Json.Null)) {
            ignore(name, "a string", value);
        }
        return Optional.empty();
    }

    private void ignore(String name, String expected, Json found) {
        String text = found instanceof Json.Arr || found instanceof Json.Obj ? found.kind() : found.toString();
        notes.add(name + " is ignored: expected " + expected + ", found "
                + (text.length() > 80 ? text.substring(0, 80) + "..." : text));
    }
}
