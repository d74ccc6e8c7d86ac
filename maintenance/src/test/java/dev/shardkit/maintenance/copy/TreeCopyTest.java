package dev.shardkit.maintenance.copy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.engine.threads.CallFuture;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
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
        Zarr.createGroup(source, "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
        ArraySpec spec = ArraySpec.of("int32", 8).withChunkShape(8);
        for (int i = 0; i < ARRAYS; i++) {
            ZarrArray array = Zarr.createArray(source, "n" + i, spec, IfExists.REFUSE, ZarrOptions.defaults());
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

    /**
     * One array fails while another is read: the copy cancels the read at once, but ends only after the read has ended.
     */
    @Test
    void failedCopy_endsAfterTheArraysThatItCopiesBesides() throws Exception {
        MemoryStore source = MemoryStore.create();
        Zarr.createGroup(source, "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());
        ArraySpec spec = ArraySpec.of("int32", 8).withChunkShape(8);
        for (String name : List.of("fails", "lasts")) {
            ZarrArray array = Zarr.createArray(source, name, spec, IfExists.REFUSE, ZarrOptions.defaults());
            array.write(array.domain(), new int[] {1, 2, 3, 4, 5, 6, 7, 8}, 0);
        }
        BlockingStore.to(source).put("fails/c/0", Content.of(Bytes.of(new byte[1])), Durability.NONE);
        AtomicBoolean lasted = new AtomicBoolean();
        AtomicReference<Boolean> lastedUntilTheEnd = new AtomicReference<>();
        CountDownLatch both = new CountDownLatch(2);
        Thread[] copying = new Thread[1];
        ZarrOptions listening = ZarrOptions.defaults().withListener(new StoreListener() {
            @Override
            public void onRequest(String key, ByteRange range) {
                if (!key.endsWith("c/0")) {
                    return;
                }
                both.countDown();
                try {
                    both.await();
                    if (key.startsWith("lasts")) {
                        new CountDownLatch(1).await(); // until the copy cancels it
                    }
                } catch (InterruptedException e) {
                    while (copying[0].isAlive() && copying[0].getState() != Thread.State.WAITING) {
                        Thread.onSpinWait();
                    }
                    lasted.set(true);
                    Thread.currentThread().interrupt();
                }
            }
        });
        copying[0] = new Thread(() -> {
            // The thread of a call does not wait for the calls that it cancels.
            CallFuture.working(() -> {
                try (ZarrGroup group = Zarr.openGroup(source, "", listening)) {
                    Copy copy = Copy.of(group).withChunkShape(4);
                    assertThrows(
                            CorruptDataException.class, () -> copy.to(MemoryStore.create(), ZarrOptions.defaults()));
                }
                lastedUntilTheEnd.set(lasted.get());
            });
        });
        copying[0].start();
        copying[0].join();
        assertEquals(true, lastedUntilTheEnd.get());
    }
}
