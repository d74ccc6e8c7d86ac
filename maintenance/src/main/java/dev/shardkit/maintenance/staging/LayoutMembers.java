package dev.shardkit.maintenance.staging;

import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The members of an array's document that define its layout. Stateless. */
public final class LayoutMembers {
    private static final List<String> CHUNKS = List.of("chunk_grid", "codecs");
    private static final List<String> ALL = List.of(
            "shape", "data_type", "fill_value", "chunk_grid", "codecs", "chunk_key_encoding", "storage_transformers");

    private LayoutMembers() {}

    /** Whether layout and data type are the same; attributes and dimension names may differ. */
    public static boolean isSame(Json.Obj a, Json.Obj b) {
        return equal(ALL, a, b);
    }

    /** Whether the chunk grids and codecs are the same. */
    public static boolean hasSameChunks(Json.Obj a, Json.Obj b) {
        return equal(CHUNKS, a, b);
    }

    private static boolean equal(List<String> members, Json.Obj a, Json.Obj b) {
        return members.stream().allMatch(m -> a.get(m).equals(b.get(m)));
    }

    /** Returns the document with the chunk grid and codecs of another. */
    static Json.Obj withChunksOf(Json.Obj document, Json.Obj other) {
        Json.Obj changed = document;
        for (String member : CHUNKS) {
            changed = changed.with(member, other.get(member).orElseThrow());
        }
        return changed;
    }

    static Json.Obj withKeys(Json.Obj document, Json keyEncoding) {
        return document.with("chunk_key_encoding", keyEncoding);
    }

    public static boolean hasKeys(Json.Obj document, Json keyEncoding) {
        return document.get("chunk_key_encoding").filter(keyEncoding::equals).isPresent();
    }

    static Json keyEncoding(ArrayMetadata metadata) {
        return MetadataWriter.document(metadata).get("chunk_key_encoding").orElseThrow();
    }

    /**
     * Returns the encodings {@code default} and {@code v2} with both separators, {@code /} first. For arrays of few
     * dimensions, some of them give the same keys.
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

    /** Whether two key encodings give the chunks of an array of {@code rank} dimensions the same keys. */
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
