package dev.shardkit.region.stream;

import static dev.shardkit.testing.Values.at;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.SliceOptions;
import dev.shardkit.SliceOptions.Growth;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.store.Store;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** An array that streams of slices write. */
abstract class SliceStreams {
    static final SliceOptions GROW = SliceOptions.defaults().withGrowth(Growth.GROW);

    @TempDir
    Path dir;

    static ZarrArray create(Store store, long length) {
        return Zarr.createArray(
                store,
                "a",
                ArraySpec.of("int32", length, 4).withShardShape(8, 4).withChunkShape(2, 4),
                IfExists.REFUSE,
                ZarrOptions.defaults().withDurability(Durability.ATOMIC));
    }

    static Store store(String kind) {
        return kind.equals("locks") ? MemoryStore.create() : MemoryStore.conditional("m");
    }

    static int[] slice(int value) {
        int[] slice = new int[4];
        Arrays.fill(slice, value);
        return slice;
    }

    static NdArray nd(ZarrArray array, int value) {
        return NdArray.of(array.dataType(), at(4), slice(value));
    }

    /** The first element of each slice that is stored; all of a slice must be the same. */
    static List<Integer> stored(Store store) {
        ZarrArray array = Zarr.openArray(store, "a", ZarrOptions.defaults());
        int[] all = array.read().ints();
        List<Integer> values = new ArrayList<>();
        for (int i = 0; i < all.length; i += 4) {
            assertArrayEquals(slice(all[i]), Arrays.copyOfRange(all, i, i + 4));
            values.add(all[i]);
        }
        return values;
    }
}
