package dev.shardkit;

import static dev.shardkit.testing.Values.at;
import static dev.shardkit.testing.Values.box;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Locks;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.store.policy.WriteOwnership;
import dev.shardkit.testing.Log;
import dev.shardkit.testing.Values;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shards as work to be shared out, and handles with options of their own. */
class ShardsTest {
    @TempDir
    Path dir;

    private static ZarrArray inMemory(long... shape) {
        ArraySpec spec = ArraySpec.of("uint16", shape).withShardShape(8, 8).withChunkShape(4, 4);
        return Zarr.createArray(MemoryStore.create(), "a", spec, IfExists.REFUSE, ZarrOptions.defaults());
    }

    @Test
    void shards_ofARegion_nameCellKeyAndBox() {
        Shards shards = inMemory(20, 20).shards(box(at(7, 9), 9, 11));
        assertEquals(4, shards.count());
        assertEquals(
                List.of("a/c/0/1 [7:8, 9:16]", "a/c/0/2 [7:8, 16:20]", "a/c/1/1 [8:16, 9:16]", "a/c/1/2 [8:16, 16:20]"),
                shards.stream().map(Shard::toString).toList());
        assertArrayEquals(at(1, 2), shards.get(3).cell());
        assertThrows(IndexOutOfBoundsException.class, () -> shards.get(4));
        List<Shard> listed = new ArrayList<>();
        shards.forEach(listed::add);
        assertEquals(shards.stream().toList(), listed);
        assertEquals(0, inMemory(20, 20).shards(box(at(3, 3), 0, 4)).count());
    }

    @Test
    void shards_ofAHugeArray_costNothing() {
        Shards shards = inMemory(1L << 35, 1L << 33).shards();
        assertEquals(1L << 62, shards.count());
        List<Shards> parts = shards.split(3);
        assertEquals(1L << 62, parts.stream().mapToLong(Shards::count).sum());
        assertEquals(shards.get((1L << 62) - 1), parts.get(2).get(parts.get(2).count() - 1));
    }

    @Test
    void split_isDisjointComplete_andEven() {
        Shards shards = inMemory(50, 70).shards();
        for (int n : new int[] {1, 2, 7, 62, 63, 64, 100}) {
            List<Shards> parts = shards.split(n);
            assertEquals(n, parts.size());
            assertEquals(
                    shards.stream().toList(),
                    parts.stream().flatMap(Shards::stream).toList());
            long most = parts.stream().mapToLong(Shards::count).max().orElseThrow();
            assertTrue(parts.stream().allMatch(p -> p.count() >= most - 1), "near equal");
        }
        assertThrows(IllegalArgumentException.class, () -> shards.split(0));
        assertEquals(
                List.of(2L, 1L),
                shards.split(21).get(3).split(2).stream().map(Shards::count).toList());
    }

    @Test
    @SuppressWarnings("try")
    void owners_ofDisjointParts_needNoLock() throws Exception {
        ArraySpec spec = ArraySpec.of("uint16", 40, 40).withShardShape(8, 8).withChunkShape(4, 4);
        ZarrArray array = Zarr.createArray(FileStore.at(dir), "a", spec, IfExists.REFUSE, ZarrOptions.defaults());
        short[] all = Values.noise(array, 3);
        ZarrArray own = array.with(o -> o.withOwnership(WriteOwnership.OWNED).withDurability(Durability.ATOMIC));
        try (Locks.Lock held = FileStore.at(dir).lock("a", "a/c/0/0", Duration.ZERO)) {
            List<CompletableFuture<Void>> workers = new ArrayList<>();
            for (Shards part : array.shards().split(4)) {
                workers.add(CompletableFuture.runAsync(
                        () -> part.forEach(s -> own.write(s.box(), Values.cut(array, all, s.box()), 0))));
            }
            for (CompletableFuture<Void> worker : workers) {
                worker.get();
            }
            assertArrayEquals(all, array.read().shorts());
            Shard first = array.shards().get(0);
            ZarrArray shared = array.with(o -> o.withLockPatience(Duration.ZERO));
            assertThrows(StoreException.class, () -> shared.write(first.box(), Values.cut(array, all, first.box()), 0));
        }
    }

    @Test
    void with_changesOptionsOfTheNewHandleAlone() {
        ZarrArray array = inMemory(20, 20);
        ShardWritePolicy keep = ShardWritePolicy.defaults().withEmptyChunks(ShardWritePolicy.EmptyChunks.KEEP);
        ZarrArray other = array.with(o -> o.withWritePolicy(keep));
        assertSame(keep, other.options().writePolicy());
        assertEquals(ShardWritePolicy.defaults(), array.options().writePolicy());
        Log log = new Log();
        array.with(o -> o.withListener(log)).write(box(at(0, 0), 1, 1), new short[] {1}, 0);
        assertEquals(List.of("write a/c/0/0"), log.of("write"));
        other.close();
        assertEquals(1, array.read(box(at(0, 0), 1, 1)).longAt(0, 0), "closing the other handle closes nothing");
    }
}
