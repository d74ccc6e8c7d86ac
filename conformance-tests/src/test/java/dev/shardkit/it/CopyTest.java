package dev.shardkit.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Copy;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.memory.MemoryStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Copies between stores, by the library alone. */
class CopyTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();

    private final MemoryStore from = MemoryStore.create();
    private final MemoryStore to = MemoryStore.create();

    private ZarrGroup group() {
        ZarrGroup group =
                Zarr.createGroup(from, "", Json.object().with("who", Json.of("me")), Zarr.Existing.REFUSE, OPTIONS);
        ZarrArray array = group.createArray("g/a", ArraySpec.of("int32", 8, 8).chunkShape(4, 4), Zarr.Existing.REFUSE);
        int[] values = new int[64];
        Arrays.setAll(values, i -> i);
        array.write(array.domain(), NdArray.of(array.dataType(), array.shape(), values));
        return group;
    }

    @Test
    void copy_ofAGroup_hasItsAttributesAndElements_inTheLayoutThatWasAskedFor() {
        List<String> told = new ArrayList<>();
        Copy.of(group())
                .withShardShape(8, 8)
                .withChunkShape(2, 2)
                .withProgress((array, done, total) -> {
                    synchronized (told) {
                        told.add(array);
                    }
                })
                .to(to, OPTIONS);
        ZarrGroup copied = Zarr.openGroup(to, "", OPTIONS);
        assertEquals(Json.of("me"), copied.attributes().get("who").orElseThrow());
        ZarrArray array = copied.array("g/a");
        assertArrayEquals(new long[] {8, 8}, array.storedChunkShape());
        assertArrayEquals(new long[] {2, 2}, array.chunkShape());
        assertArrayEquals(
                Zarr.openArray(from, "g/a", OPTIONS).read().ints(), array.read().ints());
        assertTrue(told.contains("g/a"), told::toString);
    }

    @Test
    void copy_thatCannotBeAsAskedFor_writesNothing() throws IOException {
        Copy copy = Copy.of(group()).withShardShape(8, 8).withChunkShape(3, 3);
        assertThrows(IllegalArgumentException.class, () -> copy.to(to, OPTIONS));
        List<String> names = new ArrayList<>();
        to.list("", entry -> names.add(entry.name()));
        assertEquals(List.of(), names);
    }

    @Test
    void copy_replacesANodeOnlyWhenAskedTo_andNeverAnythingElse() {
        Copy.of(group()).to(to, OPTIONS);
        Copy again = Copy.of(Zarr.openArray(from, "g/a", OPTIONS));
        assertThrows(StoreException.class, () -> again.to(to, OPTIONS));
        again.overwriting().to(to, OPTIONS);
        assertEquals(64, Zarr.openArray(to, "", OPTIONS).read().ints().length);
        MemoryStore other = MemoryStore.create();
        Zarr.createGroup(other, "precious", Json.object(), Zarr.Existing.REFUSE, OPTIONS);
        assertThrows(StoreException.class, () -> again.overwriting().to(other, OPTIONS));
        assertTrue(Zarr.find(other, "precious", OPTIONS).isPresent());
    }
}
