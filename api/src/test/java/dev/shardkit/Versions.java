package dev.shardkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.spi.array.Box;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testing.Values;
import java.nio.file.Path;

/** Arrays of which every stored version can be told, and a mixture of two as well. */
final class Versions {
    private static final ZarrOptions QUICK = ZarrOptions.defaults().withDurability(Durability.ATOMIC);

    private Versions() {}

    /** An int32 array of one shard with {@code chunks} inner chunks. */
    static ZarrArray create(Path root, int chunks, int chunk) {
        ArraySpec spec = ArraySpec.of("int32", (long) chunks * chunk)
                .withChunkShape(chunk)
                .withShardShape((long) chunks * chunk)
                .withCodecs(Codecs.zstd(3));
        return Zarr.createArray(FileStore.at(root), "a", spec, IfExists.REFUSE, QUICK);
    }

    /** Another handle, with a store and a cache of its own. */
    static ZarrArray open(Path root) {
        return Zarr.openArray(FileStore.at(root), "a", QUICK);
    }

    /** Inner chunk {@code number}. */
    static Box chunk(ZarrArray array, int number) {
        return Values.range(number * array.chunkShape()[0], (number + 1) * array.chunkShape()[0]);
    }

    private static int element(int version, int i) {
        return version + i * (version % 5); // so that sizes and places differ from version to version
    }

    /** Writes {@code version} from {@code from} to {@code to}. */
    static void write(ZarrArray array, int version, int from, int to) {
        int[] values = new int[to - from];
        for (int i = 0; i < values.length; i++) {
            values[i] = element(version, i);
        }
        array.write(Values.range(from, to), NdArray.of(array.dataType(), new long[] {to - from}, values));
    }

    /** The one version of what lies from {@code from} to {@code to}; fails if there are several. */
    static int read(ZarrArray array, int from, int to) {
        int[] values = array.read(Values.range(from, to)).ints();
        for (int i = 0; i < values.length; i++) {
            assertEquals(element(values[0], i), values[i], "a mixture of versions");
        }
        return values[0];
    }
}
