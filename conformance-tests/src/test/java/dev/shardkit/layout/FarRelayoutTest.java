package dev.shardkit.layout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.Existing;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.Relayout;
import dev.shardkit.maintenance.ShardLayout;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.Copies;
import dev.shardkit.store.Durability;
import dev.shardkit.store.Locks;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.testkit.FarForm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A change of layout in a remote store compares the new objects with the old ones, which it then deletes. */
@Timeout(120)
class FarRelayoutTest {
    private final MemoryStore behind = MemoryStore.conditional("far");

    @Test
    void newObjectThatDiffers_keepsTheArray() {
        int[] values = new int[64];
        Arrays.setAll(values, i -> i + 1);
        ArraySpec spec = ArraySpec.of("int32", 64).withChunkShape(8).withCodecs(Codecs.bytesLittleEndian());
        FarForm far = FarForm.of(behind).keeping(Set.of(Copies.class, Locks.class));
        try (ZarrArray array = Zarr.createArray(far, "a", spec, Existing.REFUSE, ZarrOptions.defaults())) {
            array.write(array.domain(), values, 0);
        }
        Relayout change = Relayout.of(Zarr.openArray(far, "a", ZarrOptions.defaults()), ShardLayout.unsharded())
                .withChunkShape(16);
        StoreException thrown = assertThrows(
                StoreException.class, () -> change.withProgress((path, done, total) -> damage(done == total))
                        .run(Mode.APPLY, told -> {}));
        assertTrue(thrown.getMessage().contains("elements differ"), thrown.getMessage());
        assertEquals(Set.of(), keys());
        assertArrayEquals(
                values, Zarr.openArray(far, "a", ZarrOptions.defaults()).read().ints());
        change.run(Mode.APPLY, told -> {});
        ZarrArray changed = Zarr.openArray(far, "a", ZarrOptions.defaults());
        assertArrayEquals(new long[] {16}, changed.chunkShape());
        assertArrayEquals(values, changed.read().ints());
    }

    /** Returns the keys of staged objects. */
    private TreeSet<String> keys() {
        TreeSet<String> keys = new TreeSet<>();
        behind.reserved("", keys::add);
        return keys;
    }

    /** Replaces a staged object by one of the same size. */
    private void damage(boolean staged) {
        if (!staged) {
            return;
        }
        String key =
                keys().stream().filter(k -> k.contains("/new/")).findFirst().orElseThrow();
        try {
            behind.put(key, Content.of(Bytes.of(new byte[64])), Durability.NONE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
