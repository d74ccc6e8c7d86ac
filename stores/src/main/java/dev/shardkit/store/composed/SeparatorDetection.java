package dev.shardkit.store.composed;

import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.objects.LocalFetches;
import java.io.IOException;
import java.util.Optional;

/** Finds the character that separates the indices in the chunk keys of an array, "/" or ".". Stateless. */
final class SeparatorDetection {
    private static final String SLASH = "/";

    private SeparatorDetection() {}

    /**
     * Returns the separator in the array's {@code zarr.json} or {@code .zarray}; a dot if a valid document contains
     * none; a slash if there is no valid document.
     */
    static String of(Store base, String array) throws IOException {
        Optional<Json> v3 = document(base, StoreKeys.join(array, "zarr.json"));
        Optional<Json> document = v3.isPresent() ? v3 : document(base, StoreKeys.join(array, ".zarray"));
        Optional<Json> separator = v3.isPresent()
                ? v3.flatMap(json -> member(json, "chunk_key_encoding"))
                        .flatMap(json -> member(json, "configuration"))
                        .flatMap(json -> member(json, "separator"))
                : document.flatMap(json -> member(json, "dimension_separator"));
        boolean isSlash = document.isEmpty() || separator.equals(Optional.of(Json.of(SLASH)));
        return isSlash ? SLASH : ".";
    }

    private static Optional<Json> member(Json json, String name) {
        return json instanceof Json.Obj object ? object.get(name) : Optional.empty();
    }

    private static Optional<Json> document(Store base, String key) throws IOException {
        Optional<ObjectSnapshot> snapshot = BlockingStore.to(base).open(key);
        if (snapshot.isEmpty()) {
            return Optional.empty();
        }
        try (ObjectSnapshot object = snapshot.get()) {
            Limits limits = Limits.defaults();
            ByteRange range = new ByteRange.Suffix(limits.metadataBytes() + 1);
            return Optional.of(
                    JsonReader.read(LocalFetches.read(object, range).bytes().toArray(), limits));
        } catch (MetadataException e) {
            return Optional.empty(); // the array cannot be opened anyway, and that error will say why
        }
    }
}
