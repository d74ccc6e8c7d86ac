package dev.shardkit.maintenance.adopt;

import dev.shardkit.ZarrOptions;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.JsonDocuments;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * A reference document (kerchunk) for an array whose shards are files of other programs, which stay unchanged. Each
 * shard is described as the concatenation of the whole file and an index, which the document contains. Immutable.
 *
 * @param members the members of the document: {@code zarr.json}, and the references of each shard under its key
 */
record AdoptionReferences(Json.Obj members) {
    private static final String METADATA = "zarr.json";
    private static final long MAX_BYTES = 256L << 20;

    /** Reads the document; if it does not exist, returns one without shards. */
    static AdoptionReferences read(Store store, Path document, ArrayMetadata metadata, ZarrOptions options)
            throws IOException {
        Json.Obj expected = MetadataWriter.document(metadata);
        Optional<ObjectSnapshot> found =
                BlockingStore.to(store).open(document.getFileName().toString());
        if (found.isEmpty()) {
            return new AdoptionReferences(Json.object().with(METADATA, expected));
        }
        try (ObjectSnapshot snapshot = found.get()) {
            if (snapshot.size() > MAX_BYTES) {
                throw new StoreException(
                        "expected a document of at most " + MAX_BYTES + " bytes, found " + snapshot.size());
            }
            ByteBuffer text = ByteBuffer.allocate((int) snapshot.size());
            snapshot.read(0, text);
            Json json = JsonDocuments.read(text.array(), Limits.defaults().withMetadataBytes(MAX_BYTES));
            if (json instanceof Json.Obj members && members.get(METADATA).equals(Optional.of(expected))) {
                return new AdoptionReferences(members);
            }
            throw new StoreException("another document already exists at " + document);
        }
    }

    /** Returns a copy with one more shard, which is a file followed by an index. */
    AdoptionReferences with(String key, String url, long size, Bytes trailer) {
        Json file = new Json.Arr(List.of(Json.of(url), Json.of(0), Json.of(size), Json.of(size)));
        Json index = Json.of("base64:" + Base64.getEncoder().encodeToString(trailer.toArray()));
        return new AdoptionReferences(members.with(key, new Json.Arr(List.of(file, index))));
    }

    /** Replaces the document atomically. */
    void write(Store store, Path document, ZarrOptions options) throws IOException {
        byte[] text = JsonDocuments.text(members).getBytes(StandardCharsets.UTF_8);
        BlockingStore.to(store)
                .put(document.getFileName().toString(), Content.of(Bytes.of(text)), options.durability());
    }
}
