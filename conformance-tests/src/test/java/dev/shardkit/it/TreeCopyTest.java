package dev.shardkit.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Existing;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Copy;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.file.FileStore;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A copy of a tree of many small arrays opens each of them once, and copies several at once. */
@Timeout(120)
class TreeCopyTest {
    private static final int ARRAYS = 60;

    @TempDir
    Path folder;

    @Test
    void documentsOfTheSource_areReadTwice_toOpenAndToConfirm() {
        FileStore source = FileStore.at(folder.resolve("a"));
        Zarr.createGroup(source, "", Json.object(), Existing.REFUSE, ZarrOptions.defaults());
        ArraySpec spec = ArraySpec.of("int32", 8).withChunkShape(8);
        for (int i = 0; i < ARRAYS; i++) {
            ZarrArray array = Zarr.createArray(source, "n" + i, spec, Existing.REFUSE, ZarrOptions.defaults());
            array.write(array.domain(), new int[] {i, 1, 2, 3, 4, 5, 6, 7}, 0);
        }
        AtomicLong documents = new AtomicLong();
        ZarrOptions counting = ZarrOptions.defaults().withListener(new StoreListener() {
            @Override
            public void onRequest(String key, ByteRange range) {
                if (key.matches("n[0-9]+/zarr.json")) {
                    documents.incrementAndGet();
                }
            }
        });
        FileStore target = FileStore.at(folder.resolve("b"));
        try (ZarrGroup group = Zarr.openGroup(source, "", counting)) {
            Copy.of(group).to(target, ZarrOptions.defaults());
        }
        assertTrue(documents.get() >= ARRAYS, "counted: " + documents);
        assertTrue(documents.get() <= 2 * ARRAYS, documents + " reads of " + ARRAYS + " documents");
        for (int i = 0; i < ARRAYS; i++) {
            assertArrayEquals(
                    new int[] {i, 1, 2, 3, 4, 5, 6, 7},
                    Zarr.openArray(target, "n" + i, ZarrOptions.defaults())
                            .read()
                            .ints());
        }
    }
}
