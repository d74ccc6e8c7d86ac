package dev.shardkit.maintenance.staging;

import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Compares and changes the members of an array's {@code zarr.json} that define its layout. Stateless. */
public final class LayoutMembers {
    private static final List<String> CHUNKS = List.of("chunk_grid", "codecs");
    private static final List<String> ALL = List.of(
            "shape", "data_type", "fill_value", "chunk_grid", "codecs", "chunk_key_encoding", "storage_transformers");

    private LayoutMembers() {}

    /** Returns whether layout and data type are the same. Attributes and dimension names may differ. */
    public static boolean isSame(Json.Obj a, Json.Obj b) {
        return equal(ALL, a, b);
    }

    /** Returns whether the chunk grids and codecs are the same. */
    public static boolean hasSameChunks(Json.Obj a, Json.Obj b) {
        return equal(CHUNKS, a, b);
    }

    private static boolean equal(List<String> members, Json.Obj a, Json.Obj b) {
        return members.stream().allMatch(name -> a.get(name).equals(b.get(name)));
    }

    /** Returns the document with the chunk grid and codecs of another document. */
    static Json.Obj withChunksOf(Json.Obj document, Json.Obj other) {
        Json.Obj changed = document;
        for (String member : CHUNKS) {
            changed = changed.with(member, other.get(member).orElseThrow());
        }
        return changed;
    }

    /** Returns the document with another chunk key encoding. */
    static Json.Obj withKeys(Json.Obj document, Json keyEncoding) {
        return document.with("chunk_key_encoding", keyEncoding);
    }

    /** Returns whether the document has this chunk key encoding. */
    public static boolean hasKeys(Json.Obj document, Json keyEncoding) {
        return document.get("chunk_key_encoding").filter(keyEncoding::equals).isPresent();
    }

    static Json keyEncoding(ArrayMetadata metadata) {
        return MetadataWriter.document(metadata).get("chunk_key_encoding").orElseThrow();
    }

    /**
     * Returns the chunk key encodings {@code default} and {@code v2}, each with both separators, {@code /} first. For
     * arrays of few dimensions, some of them give the same keys: keys of one dimension have no separator.
     *
     * @throws UnsupportedException if the array has another encoding
     */
    static List<Json> keyEncodings(ArrayMetadata metadata) {
        String name = metadata.chunkKeyEncoding().name();
        if (!Set.of("default", "v2").contains(name)) {
            throw new UnsupportedException("chunk key encoding " + name + ": expected default or v2");
        }
        return List.of(encoding("default", "/"), encoding("v2", "/"), encoding("default", "."), encoding("v2", "."));
    }

    /** Returns chunk key encodings that share no key with the encoding of {@code metadata}, the preferred one first. */
    static List<Json> otherKeyEncodings(ArrayMetadata metadata) {
        Json own = Json.of(metadata.chunkKeyEncoding().name());
        return keyEncodings(metadata).stream()
                .filter(keys -> !((Json.Obj) keys).get("name").equals(Optional.of(own)))
                .toList();
    }

    /**
     * Returns whether two arrays of {@code rank} dimensions give their chunks the same keys. Compares the first key.
     */
    static boolean haveSameKeys(ArrayMetadata one, ArrayMetadata other, int rank) {
        long[] cell = new long[rank];
        return one.chunkKeyEncoding()
                .encode(cell)
                .equals(other.chunkKeyEncoding().encode(cell));
    }

    private static Json encoding(String name, String separator) {
        return Json.extension(name, Json.object().with("separator", Json.of(separator)));
    }
}
