package dev.shardkit.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import java.util.Arrays;

/** The array of the tests: numbers that no two elements share, except an empty quarter. */
final class Sample {
    static final int SIDE = 96;

    private Sample() {}

    static int[] values() {
        int[] values = new int[SIDE * SIDE];
        Arrays.setAll(values, i -> i / SIDE < SIDE / 2 && i % SIDE < SIDE / 2 ? 0 : i);
        return values;
    }

    /** Makes the array with shards of 24 by 24. */
    static void make(String url) {
        ArraySpec spec = ArraySpec.of("int32", SIDE, SIDE)
                .withChunkShape(8, 8)
                .withShardShape(24, 24)
                .withCodecs(Codecs.zstd(1));
        try (ZarrArray array = Zarr.createArray(url, spec)) {
            array.write(array.domain(), values(), 0);
        }
    }

    static void assertCopied(String url, long... shard) {
        try (ZarrArray copy = Zarr.openArray(url, ZarrOptions.defaults())) {
            assertArrayEquals(values(), copy.read().ints());
            assertArrayEquals(shard, copy.storedChunkShape());
        }
    }

    /** Whether a file belongs to a node, not to the store, which may lock in files of its own. */
    static boolean isOfNode(java.nio.file.Path file) {
        return !file.toString().contains("/__");
    }
}
