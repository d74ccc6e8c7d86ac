package dev.shardkit.zarrv3draft;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An array of the 2022 draft of Zarr v3: its metadata, converted to a document of Zarr v3, and the path of its chunks.
 * The draft keeps documents below {@code meta/root} and chunks below {@code data/root}. The conversion rejects features
 * that shardkit does not support, and names them. Immutable; performs no I/O.
 */
public final class DraftArray {
    /** The members that a draft's array may have. */
    private static final Set<String> MEMBERS = Set.of(
            "shape",
            "data_type",
            "chunk_grid",
            "chunk_memory_layout",
            "compressor",
            "fill_value",
            "extensions",
            "attributes",
            "storage_transformers",
            "dimension_separator");
    /** The draft names extensions by URLs: {@code https://purl.org/zarr/spec/codec/gzip/1.0}, for example, is gzip. */
    private static final Pattern SPEC = Pattern.compile("https://purl\\.org/zarr/spec/[a-z_/-]*/([a-z0-9_-]+)/[0-9.]+");

    private final String path;
    private final Json.Obj document;

    private DraftArray(String path, Json.Obj document) {
        this.path = path;
        this.document = document;
    }

    /** Returns whether {@code root}, the store's {@code zarr.json}, identifies a store of the draft. */
    public static boolean isDraft(Json root) {
        return root instanceof Json.Obj o
                && o.get("zarr_format").orElseGet(Json.Null::new) instanceof Json.Str s
                && s.value().startsWith("https://purl.org/zarr/spec/protocol/core/3.");
    }

    /** Returns the key of the document of the array at {@code path}, such as {@code foo/baz}; empty for the root. */
    public static String documentKey(String path) {
        return StoreKeys.join("meta/root", path) + ".array.json";
    }

    /**
     * Converts the array at {@code path}.
     *
     * @param draft the document stored under {@link #documentKey}
     * @throws MetadataException if it is not the document of an array
     * @throws UnsupportedException if it uses a feature that Zarr v3 or shardkit lacks
     */
    public static DraftArray of(String path, Json.Obj draft) {
        for (String member : draft.members().keySet()) {
            if (!MEMBERS.contains(member)) {
                throw new MetadataException("/" + member + ": unknown member of a draft's array; known are " + MEMBERS);
            }
        }
        DraftType type = DraftType.of(required(draft, "data_type"));
        Json.Obj document = Json.object()
                .with("zarr_format", Json.of(3))
                .with("node_type", Json.of("array"))
                .with("shape", required(draft, "shape"))
                .with("data_type", Json.of(type.name()))
                .with("chunk_grid", grid(object(required(draft, "chunk_grid"), "/chunk_grid")))
                .with("chunk_key_encoding", keys(object(required(draft, "chunk_grid"), "/chunk_grid")))
                .with("fill_value", fill(draft, type))
                .with("codecs", codecs(draft, type));
        if (draft.get("attributes").isPresent()) {
            document = document.with("attributes", draft.get("attributes").get());
        }
        refuseExtensions(draft);
        List<Json> transformers = transformers(draft);
        return new DraftArray(
                path,
                transformers.isEmpty() ? document : document.with("storage_transformers", new Json.Arr(transformers)));
    }

    /** Returns the Zarr v3 document; its chunk key encoding is the plug-in {@link DraftChunkKeys}. */
    public Json.Obj document() {
        return document;
    }

    /** Returns the path below which the chunks are stored. */
    public String dataPath() {
        return StoreKeys.join("data/root", path);
    }

    private static Json required(Json.Obj json, String member) {
        return json.get(member).orElseThrow(() -> new MetadataException("/" + member + ": is required, but missing"));
    }

    /** Returns {@code json} if it is an object; {@code location} is its place in the document, for the error. */
    static Json.Obj object(Json json, String location) {
        if (json instanceof Json.Obj o) {
            return o;
        }
        throw Config.expected(location, "an object", json);
    }

    private static Json grid(Json.Obj grid) {
        if (!required(grid, "type").equals(Json.of("regular"))) {
            throw new UnsupportedException(
                    "/chunk_grid/type: only \"regular\" is known of the draft, found " + required(grid, "type"));
        }
        return Json.extension("regular", Json.object().with("chunk_shape", required(grid, "chunk_shape")));
    }

    private static Json keys(Json.Obj grid) {
        Json separator = grid.get("separator").orElseGet(() -> Json.of("/"));
        return Json.extension(DraftChunkKeys.NAME, Json.object().with(DraftChunkKeys.SEPARATOR, separator));
    }

    /** Returns the fill value. In the draft, {@code null} leaves the value open; zero is used then. */
    private static Json fill(Json.Obj draft, DraftType type) {
        Json fill = draft.get("fill_value").orElseGet(Json.Null::new);
        return fill instanceof Json.Null ? type.zero() : fill;
    }

    /** Returns the chain of codecs: a transpose for Fortran order, {@code bytes}, and the compressor if any. */
    private static Json codecs(Json.Obj draft, DraftType type) {
        List<Json> codecs = new ArrayList<>();
        Json layout = draft.get("chunk_memory_layout").orElseGet(() -> Json.of("C"));
        if (layout.equals(Json.of("F"))) {
            int rank =
                    required(draft, "shape") instanceof Json.Arr a ? a.items().size() : 0;
            long[] order = new long[rank];
            for (int d = 0; d < rank; d++) {
                order[d] = rank - 1 - d;
            }
            codecs.add(Json.extension("transpose", Json.object().with("order", Json.of(order))));
        } else if (!layout.equals(Json.of("C"))) {
            throw Config.expected("/chunk_memory_layout", "\"C\" or \"F\"", layout);
        }
        codecs.add(Json.extension(
                "bytes", type.endian() == null ? Json.object() : Json.object().with("endian", Json.of(type.endian()))));
        Json compressor = draft.get("compressor").orElseGet(Json.Null::new);
        if (!(compressor instanceof Json.Null)) {
            codecs.add(compressor(object(compressor, "/compressor"), type));
        }
        return new Json.Arr(codecs);
    }

    private static Json compressor(Json.Obj compressor, DraftType type) {
        String name = nameInUrl(required(compressor, "codec"), "/compressor/codec");
        Json.Obj stated = object(compressor.get("configuration").orElseGet(Json::object), "/compressor/configuration");
        if (name.equals("blosc")) {
            return Json.extension("blosc", blosc(stated, type));
        } else if (name.equals("gzip")) {
            return Json.extension("gzip", stated);
        } else if (name.equals("zlib")) { // not in the draft, but zarrita wrote it
            return Json.extension("numcodecs.zlib", stated);
        }
        throw new UnsupportedException("/compressor/codec: the draft's codec \"" + name
                + "\" has no counterpart; known are gzip, zlib and blosc");
    }

    /** Converts the number of the shuffle, as in numcodecs, to its name; -1 selects one by the size of elements. */
    private static Json.Obj blosc(Json.Obj stated, DraftType type) {
        String shuffle =
                switch (stated.get("shuffle").orElseGet(() -> Json.of(-1)).toString()) {
                    case "0" -> "noshuffle";
                    case "1" -> "shuffle";
                    case "2" -> "bitshuffle";
                    case "-1" -> type.size() == 1 ? "bitshuffle" : "shuffle";
                    default ->
                        throw Config.expected(
                                "/compressor/configuration/shuffle",
                                "-1, 0, 1 or 2",
                                stated.get("shuffle").orElseThrow());
                };
        return stated.with("shuffle", Json.of(shuffle))
                .with("typesize", Json.of(type.size()))
                .with("blocksize", stated.get("blocksize").orElseGet(() -> Json.of(0)));
    }

    /** Returns the name of an extension from the URL of its specification. */
    private static String nameInUrl(Json json, String location) {
        if (json instanceof Json.Str s) {
            Matcher spec = SPEC.matcher(s.value());
            if (spec.matches()) {
                return spec.group(1);
            }
        }
        throw Config.expected(location, "a URL such as https://purl.org/zarr/spec/codec/gzip/1.0", json);
    }

    private static void refuseExtensions(Json.Obj draft) {
        Json extensions = draft.get("extensions").orElseGet(() -> new Json.Arr(List.of()));
        if (!(extensions instanceof Json.Arr list) || !list.items().isEmpty()) {
            throw new UnsupportedException("/extensions: none is known of the draft, found " + extensions);
        }
    }

    private static List<Json> transformers(Json.Obj draft) {
        List<Json> transformers = new ArrayList<>();
        Json stated = draft.get("storage_transformers").orElseGet(() -> new Json.Arr(List.of()));
        if (!(stated instanceof Json.Arr list)) {
            throw Config.expected("/storage_transformers", "a list", stated);
        }
        for (int i = 0; i < list.items().size(); i++) {
            String location = "/storage_transformers/" + i;
            transformers.add(transformer(object(list.items().get(i), location), location));
        }
        return transformers;
    }

    /**
     * Converts a transformer: with a {@code name}, as in the text of the draft, or with {@code extension} and
     * {@code type}, as zarr-python wrote it.
     */
    private static Json transformer(Json.Obj stated, String location) {
        Optional<Json> extension = stated.get("extension");
        if (extension.isEmpty()) {
            return stated;
        }
        Json type = stated.get("type").orElseGet(() -> Json.of("indexed"));
        if (!type.equals(Json.of("indexed"))) {
            throw new UnsupportedException(location + "/type: only \"indexed\" is known of the draft, found " + type);
        }
        return Json.extension(
                nameInUrl(extension.get(), location + "/extension"),
                object(stated.get("configuration").orElseGet(Json::object), location + "/configuration"));
    }
}
