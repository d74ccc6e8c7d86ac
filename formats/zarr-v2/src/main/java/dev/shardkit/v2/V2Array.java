package dev.shardkit.v2;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.DocumentRemarks;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.FillAttribute;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Converts the document of an array. Unknown members are ignored, as the specification requires.
 *
 * <p>Arrays whose dimensions have names are those of xarray and netCDF. In version 2, xarray takes the fill value as
 * the value of missing elements; in version 3 only the attribute {@code _FillValue}. So the attribute is set.
 */
final class V2Array {
    /** The attribute in which xarray stores the names of dimensions. */
    private static final String DIMENSIONS = "_ARRAY_DIMENSIONS";

    /**
     * Members in which netCDF-C stores the names of dimensions: of the document, and since version 4.9.3 attributes.
     */
    private static final List<String> NCZARR = List.of("_NCZARR_ARRAY", "_nczarr_array");

    private V2Array() {}

    static Json.Obj document(V2Members array, Json.Obj attributes) {
        List<String> remarks = new ArrayList<>(array.checkFormat());
        long[] shape = array.lengths("shape");
        V2Type type = V2Type.of(array);
        Json fill = V2Fill.of(array, type);
        Optional<Json> names = dimensionNames(array, attributes, shape.length);
        Json.Obj document = Json.object()
                .with("zarr_format", Json.of(3))
                .with("node_type", Json.of("array"))
                .with("shape", Json.of(shape))
                .with("data_type", type.dataType())
                .with(
                        "chunk_grid",
                        Json.extension("regular", Json.object().with("chunk_shape", Json.of(chunks(array, shape)))))
                .with(
                        "chunk_key_encoding",
                        Json.extension("v2", Json.object().with("separator", Json.of(separator(array)))))
                .with("fill_value", fill)
                .with("codecs", new Json.Arr(V2Codecs.of(array, type, fill, order(array, shape.length))))
                .with("attributes", names.isPresent() ? named(array, type, fill, attributes) : attributes);
        if (names.isPresent() && type.kind() == 'S' && array.get("fill_value").isPresent()) {
            remarks.add(
                    array.at("fill_value") + ": xarray takes bytes that equal the fill value for missing in Zarr v2, "
                            + "and has no such attribute for bytes in Zarr v3; they are elements there");
        }
        return DocumentRemarks.add(
                names.map(list -> document.with("dimension_names", list)).orElse(document), remarks);
    }

    private static long[] chunks(V2Members array, long[] shape) {
        long[] chunks = array.lengths("chunks");
        if (chunks.length != shape.length) {
            throw new MetadataException(array.at("chunks") + ": expected " + shape.length
                    + " lengths as in /shape, found " + chunks.length);
        }
        for (int d = 0; d < chunks.length; d++) {
            if (chunks[d] == 0 && shape[d] == 0) {
                chunks[d] = 1; // a dimension of length 0 with one chunk
            } else if (chunks[d] == 0) {
                throw new MetadataException(
                        array.at("chunks") + "/" + d + ": expected a length of at least 1, found 0");
            }
        }
        return chunks;
    }

    private static String separator(V2Members array) {
        String separator = array.text("dimension_separator").orElse(".");
        if (!separator.equals(".") && !separator.equals("/")) {
            throw Config.expected(array.at("dimension_separator"), "\".\" or \"/\"", Json.of(separator));
        }
        return separator;
    }

    /** Returns the transpose codec for order F; none for order C, and if there is nothing to transpose. */
    private static @Nullable Json order(V2Members array, int rank) {
        String order = array.requiredText("order");
        if (!order.equals("C") && !order.equals("F")) {
            throw Config.expected(array.at("order"), "\"C\" or \"F\"", Json.of(order));
        }
        if (order.equals("C") || rank < 2) {
            return null;
        }
        long[] reversed = new long[rank];
        for (int d = 0; d < rank; d++) {
            reversed[d] = rank - 1 - d;
        }
        return Json.extension("transpose", Json.object().with("order", Json.of(reversed)));
    }

    private static Optional<Json> dimensionNames(V2Members array, Json.Obj attributes, int rank) {
        if (attributes.get(DIMENSIONS).isPresent()) {
            return names(attributes.get(DIMENSIONS).get(), rank);
        }
        for (String name : NCZARR) {
            Optional<Json> found = array.get(name).or(() -> attributes.get(name));
            if (found.orElse(new Json.Null()) instanceof Json.Obj o
                    && o.get("dimrefs").isPresent()) {
                return names(o.get("dimrefs").get(), rank).map(V2Array::lastParts);
            }
        }
        return Optional.empty();
    }

    private static Optional<Json> names(Json json, int rank) {
        return json instanceof Json.Arr names
                        && names.items().size() == rank
                        && names.items().stream().allMatch(Json.Str.class::isInstance)
                ? Optional.of(names)
                : Optional.empty();
    }

    /** Returns the names of dimensions without the paths of their groups. */
    private static Json lastParts(Json paths) {
        return new Json.Arr(((Json.Arr) paths)
                .items().stream()
                        .map(path -> ((Json.Str) path).value())
                        .map(path -> Json.of(path.substring(path.lastIndexOf('/') + 1)))
                        .toList());
    }

    /**
     * Returns the attributes of an array whose dimensions have names: without the attributes that say only the names,
     * which xarray hides, and with {@code _FillValue}. An attribute of this name is kept; xarray's form of it differs
     * between the versions.
     */
    private static Json.Obj named(V2Members array, V2Type type, Json fill, Json.Obj attributes) {
        Map<String, Json> kept = new LinkedHashMap<>(attributes.members());
        kept.keySet()
                .removeIf(name ->
                        name.equals(DIMENSIONS) || name.toLowerCase(Locale.ROOT).startsWith("_nc"));
        Json.Obj all = new Json.Obj(kept);
        Optional<Json> own = all.get(FillAttribute.NAME);
        if (own.isPresent()) {
            return FillAttribute.of(type.dataType(), own.get())
                    .map(form -> all.with(FillAttribute.NAME, form))
                    .orElse(all);
        }
        boolean isText = type.kind() == 'U' || type.isText();
        boolean isNumber = "biufc".indexOf(type.kind()) >= 0;
        return array.get("fill_value").isPresent() && (isNumber || isText)
                ? FillAttribute.put(all, type.dataType(), fill)
                : all;
    }

    /** Returns the document of an array that cannot be opened, so that other nodes of the hierarchy can. */
    static Json.Obj refused(Json dtype) {
        return Json.object()
                .with("zarr_format", Json.of(3))
                .with("node_type", Json.of("array"))
                .with("shape", new Json.Arr(List.of()))
                .with(
                        "data_type",
                        Json.extension("zarr_v2.unsupported", Json.object().with("dtype", dtype)))
                .with(
                        "chunk_grid",
                        Json.extension("regular", Json.object().with("chunk_shape", new Json.Arr(List.of()))))
                .with("chunk_key_encoding", Json.extension("v2", Json.object()))
                .with("fill_value", Json.of(0))
                .with("codecs", new Json.Arr(List.of(Json.extension("bytes", Json.object()))));
    }
}
