package dev.shardkit.maintenance.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.spi.array.Box;
import dev.shardkit.store.Entry;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The entries below an array in a remote store, whose listing names objects only. */
class RemoteEntriesTest {
    @Test
    void prefixes_areToldOnce() {
        ZarrArray array = Zarr.createArray(
                RemoteAdapter.of(MemoryStore.create()),
                "deep/a",
                ArraySpec.of("int8", 200, 200, 200).withChunkShape(1, 1, 1),
                IfExists.REFUSE,
                ZarrOptions.defaults());
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Set<String> expected = new TreeSet<>(Set.of("deep/a/c"));
        for (int i = 0; i < 100; i++) {
            int z = random.nextInt(12);
            int y = random.nextInt(12);
            array.write(Box.of(new long[] {z, y, random.nextInt(200)}, new long[] {1, 1, 1}), new byte[] {1}, 0);
            expected.add("deep/a/c/" + z);
            expected.add("deep/a/c/" + z + "/" + y);
        }
        List<String> prefixes = new ArrayList<>();
        ArrayInternals.of(array)
                .entries(
                        (key, entry) -> {
                            if (entry.kind() == Entry.Kind.PREFIX) {
                                prefixes.add(key);
                            }
                        },
                        (prefix, e) -> {
                            throw e;
                        });
        prefixes.sort(null);
        assertEquals(List.copyOf(expected), prefixes, "seed " + seed);
    }
}
