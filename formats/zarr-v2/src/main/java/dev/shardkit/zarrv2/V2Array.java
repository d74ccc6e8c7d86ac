package dev.shardkit.zarrv2;

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
 * Converts the document {@code .zarray} of an array of Zarr v2, together with its attributes, to a document of Zarr v3.
 * Ignores unknown members, as the specification requires.
 *
 * <p>For arrays with names of dimensions, which xarray and netCDF write, the conversion also sets the attribute
 * {@code _FillValue}. The reason is that xarray treats elements as missing if they equal the fill value in version 2,
 * but the attribute {@code _FillValue} in version 3.
 */
final class V2Array {
    /** The attribute in which xarray stores the names of dimensions. */
    private static final String DIMENSION_NAMES = "_ARRAY_DIMENSIONS";

    /**
     * The members of the document in which netCDF-C stores the names of dimensions. Since version 4.9.3, netCDF-C
     * stores these members among the attributes.
     */
    private static final List<String> NCZARR_MEMBERS = List.of("_NCZARR_ARRAY", "_nczarr_array");

    private V2Array() {}

    /** Returns the document of an array in Zarr v3. */
    static Json.Obj toDocument(V2Members array, Json.Obj attributes) {
        List<String> remarks = new ArrayList<>(array.checkVersion());
        long[] shape = array.lengths("shape");
        V2Type type = V2Type.parse(array);
        Json fill = V2Fill.convert(array, type);
        Optional<Json> names = dimensionNames(array, attributes, shape.length);
        Json.Obj document = Json.object()
                .with("zarr_format", Json.of(3))
                .with("node_type", Json.of("array"))
                .with("shape", Json.of(shape))
                .with("data_type", type.dataType())
                .with(
                        "chunk_grid",
                        Json.extension("regular", Json.object().with("chunk_shape", Json.of(chunkShape(array, shape)))))
                .with(
                        "chunk_key_encoding",
                        Json.extension("v2", Json.object().with("separator", Json.of(separator(array)))))
                .with("fill_value", fill)
                .with("codecs", new Json.Arr(V2Codecs.convert(array, type, fill, transposeCodec(array, shape.length))))
                .with("attributes", names.isPresent() ? withFillAttribute(array, type, fill, attributes) : attributes);
        if (names.isPresent() && type.kind() == 'S' && array.get("fill_value").isPresent()) {
            remarks.add(
                    array.at("fill_value") + ": xarray takes bytes that equal the fill value for missing in Zarr v2, "
                            + "and has no such attribute for bytes in Zarr v3; they are elements there");
        }
        return DocumentRemarks.add(
                names.map(list -> document.with("dimension_names", list)).orElse(document), remarks);
    }

    /** Returns the shape of chunks. A length of 0, which some writers store for empty dimensions, becomes 1. */
    private static long[] chunkShape(V2Members array, long[] shape) {
        long[] chunkShape = array.lengths("chunks");
        if (chunkShape.length != shape.length) {
            throw new MetadataException(array.at("chunks") + ": expected " + shape.length
                    + " lengths as in /shape, found " + chunkShape.length);
        }
        for (int d = 0; d < chunkShape.length; d++) {
            if (chunkShape[d] == 0 && shape[d] == 0) {
                chunkShape[d] = 1; // a dimension of length 0 with one chunk
            } else if (chunkShape[d] == 0) {
                throw new MetadataException(
                        array.at("chunks") + "/" + d + ": expected a length of at least 1, found 0");
            }
        }
        return chunkShape;
    }

    /** Returns the separator of indices in the keys of chunks. */
    private static String separator(V2Members array) {
        String separator = array.text("dimension_separator").orElse(".");
        if (!separator.equals(".") && !separator.equals("/")) {
            throw Config.expected(array.at("dimension_separator"), "\".\" or \"/\"", Json.of(separator));
        }
        return separator;
    }

    /** Returns the transpose codec for order F; {@code null} for order C and for fewer than two dimensions. */
    private static @Nullable Json transposeCodec(V2Members array, int rank) {
        String order = array.requiredText("order");
        if (!order.equals("C") && !order.equals("F")) {
            throw Config.expected(array.at("order"), "\"C\" or \"F\"", Json.of(order));
        }
        if (order.equals("C") || rank < 2) {
            return null;
        }
        long[] reversedOrder = new long[rank];
        for (int d = 0; d < rank; d++) {
            reversedOrder[d] = rank - 1 - d;
        }
        return Json.extension("transpose", Json.object().with("order", Json.of(reversedOrder)));
    }

    /** Returns the names of dimensions that xarray or netCDF stored; empty unless there is one for each dimension. */
    private static Optional<Json> dimensionNames(V2Members array, Json.Obj attributes, int rank) {
        if (attributes.get(DIMENSION_NAMES).isPresent()) {
            return namesIn(attributes.get(DIMENSION_NAMES).get(), rank);
        }
        for (String name : NCZARR_MEMBERS) {
            Optional<Json> found = array.get(name).or(() -> attributes.get(name));
            if (found.orElse(new Json.Null()) instanceof Json.Obj o
                    && o.get("dimrefs").isPresent()) {
                return namesIn(o.get("dimrefs").get(), rank).map(V2Array::withoutGroups);
            }
        }
        return Optional.empty();
    }

    /** Returns a list of {@code rank} strings; empty for any other value. */
    private static Optional<Json> namesIn(Json json, int rank) {
        return json instanceof Json.Arr names
                        && names.items().size() == rank
                        && names.items().stream().allMatch(Json.Str.class::isInstance)
                ? Optional.of(names)
                : Optional.empty();
    }

    /** Removes the paths of groups from names of dimensions. */
    private static Json withoutGroups(Json paths) {
        return new Json.Arr(((Json.Arr) paths)
                .items().stream()
                        .map(path -> ((Json.Str) path).value())
                        .map(path -> Json.of(path.substring(path.lastIndexOf('/') + 1)))
                        .toList());
    }

    /**
     * Returns the attributes of an array with names of dimensions. Removes the attributes that only contain these
     * names, and that xarray hides from users. Adds the attribute {@code _FillValue}. If it exists, converts it,
     * because xarray encodes it differently in the two versions.
     */
    private static Json.Obj withFillAttribute(V2Members array, V2Type type, Json fill, Json.Obj attributes) {
        Map<String, Json> userAttributes = new LinkedHashMap<>(attributes.members());
        userAttributes
                .keySet()
                .removeIf(name -> name.equals(DIMENSION_NAMES)
                        || name.toLowerCase(Locale.ROOT).startsWith("_nc"));
        Json.Obj result = new Json.Obj(userAttributes);
        Optional<Json> existing = result.get(FillAttribute.NAME);
        if (existing.isPresent()) {
            return FillAttribute.of(type.dataType(), existing.get())
                    .map(form -> result.with(FillAttribute.NAME, form))
                    .orElse(result);
        }
        boolean isText = type.kind() == 'U' || type.isText();
        boolean isNumber = "biufc".indexOf(type.kind()) >= 0;
        return array.get("fill_value").isPresent() && (isNumber || isText)
                ? FillAttribute.put(result, type.dataType(), fill)
                : result;
    }

    /**
     * Returns a document for an array that is not supported. Its data type does not exist, so opening the array fails,
     * while other nodes of the hierarchy can be opened.
     */
    static Json.Obj unsupported(Json dtype) {
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
