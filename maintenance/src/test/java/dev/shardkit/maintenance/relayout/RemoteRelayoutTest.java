package dev.shardkit.maintenance.relayout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.layout.ShardLayout;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.Copies;
import dev.shardkit.store.Locks;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A change of layout in a remote store compares the new objects with the old ones, which it then deletes. */
@Timeout(120)
class RemoteRelayoutTest {
    private final MemoryStore behind = MemoryStore.conditional("remote");

    @Test
    void newObjectThatDiffers_keepsTheArray() {
        int[] values = new int[64];
        Arrays.setAll(values, i -> i + 1);
        ArraySpec spec = ArraySpec.of("int32", 64).withChunkShape(8).withCodecs(Codecs.bytesLittleEndian());
        RemoteAdapter remote = RemoteAdapter.of(behind).keeping(Set.of(Copies.class, Locks.class));
        try (ZarrArray array = Zarr.createArray(remote, "a", spec, IfExists.REFUSE, ZarrOptions.defaults())) {
            array.write(array.domain(), values, 0);
        }
        Relayout change = Relayout.of(Zarr.openArray(remote, "a", ZarrOptions.defaults()), ShardLayout.unsharded())
                .withChunkShape(16);
        StoreException thrown = assertThrows(
                StoreException.class, () -> change.withProgress((path, done, total) -> damage(done == total))
                        .run(Mode.APPLY, reported -> {}));
        assertTrue(thrown.getMessage().contains("elements differ"), thrown.getMessage());
        assertEquals(Set.of(), keys());
        assertArrayEquals(
                values,
                Zarr.openArray(remote, "a", ZarrOptions.defaults()).read().ints());
        change.run(Mode.APPLY, reported -> {});
        ZarrArray changed = Zarr.openArray(remote, "a", ZarrOptions.defaults());
        assertArrayEquals(new long[] {16}, changed.chunkShape());
        assertArrayEquals(values, changed.read().ints());
    }

    /** The store cannot copy, so the new objects cross the network once more when they get the array's own keys. */
    @Test
    void copyUnderTheOwnKeyThatDiffers_keepsTheOther() throws Exception {
        int[] values = new int[64];
        Arrays.setAll(values, i -> i + 1);
        ArraySpec spec = ArraySpec.of("int32", 64).withChunkShape(8).withCodecs(Codecs.bytesLittleEndian());
        try (ZarrArray array = Zarr.createArray(behind, "a", spec, IfExists.REFUSE, ZarrOptions.defaults())) {
            array.write(array.domain(), values, 0);
        }
        RemoteAdapter losing = RemoteAdapter.of(
                        behind,
                        task -> {
                            task.run();
                            damageOwnKey();
                        },
                        1)
                .keeping(Set.of(Locks.class, TreeDeletions.class));
        Relayout change = Relayout.of(Zarr.openArray(losing, "a", ZarrOptions.defaults()), ShardLayout.unsharded())
                .withChunkShape(16);
        StoreException thrown = assertThrows(StoreException.class, () -> change.run(Mode.APPLY, reported -> {}));
        assertTrue(thrown.getMessage().contains("under the array's own keys differ"), thrown.getMessage());
        assertArrayEquals(
                values,
                Zarr.openArray(behind, "a", ZarrOptions.defaults()).read().ints());
        RemoteAdapter sound = RemoteAdapter.of(behind).keeping(Set.of(Locks.class, TreeDeletions.class));
        Relayout.of(Zarr.openArray(sound, "a", ZarrOptions.defaults()), ShardLayout.unsharded())
                .withChunkShape(16)
                .run(Mode.APPLY, reported -> {});
        ZarrArray changed = Zarr.openArray(behind, "a", ZarrOptions.defaults());
        assertArrayEquals(values, changed.read().ints());
        assertArrayEquals(new long[] {16}, changed.chunkShape());
        assertTrue(BlockingStore.to(behind).open("a/c/0").isPresent());
        assertEquals(Set.of(), keys());
    }

    /**
     * Replaces the first new object by another one of the same size, after it has got the key of the first old object.
     */
    private void damageOwnKey() {
        try {
            Optional<ObjectSnapshot> found = BlockingStore.to(behind).open("a/c/0");
            if (found.isPresent() && found.get().size() == 64) {
                behind.put("a/c/0", Content.of(Bytes.of(new byte[64])), Durability.NONE);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
