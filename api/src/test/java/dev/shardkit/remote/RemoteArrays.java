package dev.shardkit.remote;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.store.Store;
import dev.shardkit.store.policy.Durability;
import java.util.Arrays;

/** Sharded arrays of one dimension, for tests of remote stores. */
public final class RemoteArrays {
    public static final int SHARDS = 100;
    public static final int SHARD = 8;
    public static final int CHUNK = 4;
    public static final ZarrOptions OPTIONS =
            ZarrOptions.defaults().withDurability(Durability.ATOMIC).withParallelism(2);

    private RemoteArrays() {}

    public static ZarrArray create(Store store, int shards, ZarrOptions options) {
        ArraySpec spec = ArraySpec.of("int32", (long) shards * SHARD)
                .withChunkShape(CHUNK)
                .withShardShape(SHARD);
        return Zarr.createArray(store, "a", spec, IfExists.REFUSE, options);
    }

    public static int[] filled(int count, int value) {
        int[] all = new int[count];
        Arrays.fill(all, value);
        return all;
    }

    public static void write(ZarrArray array, long from, long count, int value) {
        array.write(Box.of(new long[] {from}, new long[] {count}), filled((int) count, value), 0);
    }
}
