package dev.shardkit.session.publication;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Chunks that may be stored nowhere else are found below any folder that is not an array. */
@Timeout(120)
class UnfinishedMovesTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();

    private final Store store = MemoryStore.create();

    private void put(String key, String text) throws IOException {
        put(key, Bytes.of(text.getBytes(StandardCharsets.UTF_8)));
    }

    private void put(String key, Bytes bytes) throws IOException {
        BlockingStore.to(store).put(key, Content.of(bytes), Durability.NONE);
    }

    private void record(WorkKind work, String path) throws IOException {
        put(
                PublicationRecord.key(path),
                PublicationRecord.started(work, "s", Json.object()).print());
    }

    private static void refuse(Store store) throws IOException {
        UnfinishedMoves.refuse(BlockingStore.to(store), "g", "nothing was removed");
    }

    /** It may be the record of a move. */
    @Test
    void recordThatCannotBeRead_keepsTheGroupAboveIt() throws IOException {
        Zarr.createGroup(store, "g", Json.object(), IfExists.REFUSE, OPTIONS);
        put(PublicationRecord.key("g/out"), "{");
        put("g/out/c/0", "elements");
        for (int i = 0; i < 2; i++) {
            boolean deletes = i == 0;
            StoreException e = assertThrows(StoreException.class, () -> {
                if (deletes) {
                    Zarr.openGroup(store, "g", OPTIONS).delete();
                } else {
                    Zarr.createGroup(store, "g", Json.object(), IfExists.OVERWRITE, OPTIONS);
                }
            });
            assertTrue(e.getMessage().contains(WorkKind.UNKNOWN.text()), e.getMessage());
            assertTrue(BlockingStore.to(store).open("g/out/c/0").isPresent());
        }
        BlockingStore.to(store).delete(PublicationRecord.key("g/out"));
        Zarr.openGroup(store, "g", OPTIONS).delete();
        assertFalse(BlockingStore.to(store).open("g/out/c/0").isPresent());
    }

    @ParameterizedTest
    @EnumSource(WorkKind.class)
    void onlyWorkThatMustStay_isRefused(WorkKind work) throws IOException {
        Zarr.createGroup(store, "g", Json.object(), IfExists.REFUSE, OPTIONS);
        if (work == WorkKind.MOVED_ARRAY) {
            put("g/out/" + WorkKind.MOVED_DOCUMENT, "{}");
        } else if (work == WorkKind.UNKNOWN) {
            put(PublicationRecord.key("g/out"), "[]");
        } else if (work != WorkKind.PARTED_COPY) {
            record(work, "g/out");
        }
        if (work.isRemovable()) {
            refuse(store);
        } else {
            StoreException e = assertThrows(StoreException.class, () -> refuse(store));
            assertTrue(e.getMessage().contains(work.text()), e.getMessage());
            assertTrue(e.getMessage().endsWith("; nothing was removed"), e.getMessage());
        }
    }

    /** Groups without a {@code zarr.json}, with other objects in them. */
    @ParameterizedTest
    @ValueSource(strings = {"README", ".zgroup", "a/.zgroup", "a/.DS_Store", "zarr.json"})
    void objectsBesideTheFolders_hideNoMove(String key) throws IOException {
        put("g/" + key, "{}");
        record(WorkKind.MOVING_CONCATENATION, "g/a/out");
        assertThrows(StoreException.class, () -> refuse(store));
    }

    /** A record in an array is none: its folders are not searched, because there may be as many as chunks. */
    @Test
    void foldersOfArrays_areNotSearched() throws IOException {
        ArraySpec spec = ArraySpec.of("uint8", 4).withChunkShape(2);
        Zarr.createArray(store, "g/v3", spec, IfExists.REFUSE, OPTIONS);
        put("g/v2/.zarray", "{}");
        for (String array : List.of("g/v3", "g/v2")) {
            record(WorkKind.MOVING_CONCATENATION, array + "/c/out");
        }
        refuse(store);
    }

    /** The source may be gone in part, so the copy may be the only complete node. */
    @Test
    void copyOfAMoveThatWasDeletingItsSource_staysBelowAGroup() throws IOException {
        Zarr.createGroup(store, "g", Json.object(), IfExists.REFUSE, OPTIONS);
        Zarr.createArray(store, "g/out", ArraySpec.of("uint8", 4), IfExists.REFUSE, OPTIONS);
        PublicationRecord copied = PublicationRecord.started(
                WorkKind.COPY, "s", Json.object().with(PublicationRecord.MOVED_FROM, Json.of("s3://b/a")));
        put(PublicationRecord.key("g/out"), copied.print());
        refuse(store); // the source is whole
        put(
                PublicationRecord.key("g/out"),
                copied.with(PublicationRecord.Step.SWITCHED).print());
        StoreException e = assertThrows(
                StoreException.class, () -> Zarr.openGroup(store, "g", OPTIONS).delete());
        assertTrue(e.getMessage().contains("was deleting s3://b/a"), e.getMessage());
        Zarr.openArray(store, "g/out", OPTIONS).close();
    }
}
