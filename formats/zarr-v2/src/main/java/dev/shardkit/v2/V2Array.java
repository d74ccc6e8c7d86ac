package dev.shardkit.v2;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Converts the document of an array. Unknown members are ignored, as the specification requires. */
final class V2Array {
    /** The attribute in which xarray stores the names of dimensions. */
    private static final String DIMENSIONS = "_ARRAY_DIMENSIONS";

    private V2Array() {}

    static Json.Obj document(V2Members array, Json.Obj attributes) {
        array.checkFormat();
        long[] shape = array.lengths("shape");
        V2Type type = V2Type.of(array);
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
                .with("fill_value", V2Fill.of(array, type))
                .with("codecs", new Json.Arr(V2Codecs.of(array, type, order(array, shape.length))))
                .with("attributes", attributes);
        return dimensionNames(attributes, shape.length)
                .map(names -> document.with("dimension_names", names))
                .orElse(document);
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

    private static Optional<Json> dimensionNames(Json.Obj attributes, int rank) {
        if (attributes.get(DIMENSIONS).orElseGet(Json.Null::new) instanceof Json.Arr names
                && names.items().size() == rank
                && names.items().stream().allMatch(Json.Str.class::isInstance)) {
            return Optional.of(new Json.Arr(new ArrayList<>(names.items())));
        }
        return Optional.empty();
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
