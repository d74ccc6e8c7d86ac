package dev.shardkit.maintenance.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.store.memory.MemoryStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RemovalTest {
    /** A removal inside a change of the node would wait for the lock that its own caller holds. */
    @Test
    void removalInsideAChangeOfTheNode_isRefused() {
        ZarrOptions options = ZarrOptions.defaults();
        MemoryStore store = MemoryStore.create();
        ZarrArray array = Zarr.createArray(store, "", ArraySpec.of("int32", 4), IfExists.REFUSE, options);
        array.write(array.domain(), new int[] {1, 2, 3, 4}, 0);
        IllegalStateException e = assertThrows(
                IllegalStateException.class,
                () -> array.changeAttributes(attributes -> {
                    Removal.of(store).run(options);
                    return attributes;
                }));
        assertTrue(e.getMessage().contains("inside a change"), e.getMessage());
        assertArrayEquals(
                new int[] {1, 2, 3, 4},
                Zarr.openArray(store, "", options).read().ints());
    }
}
