package dev.shardkit.spark.source;

import dev.shardkit.Shards;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Store;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;

/**
 * The shards of a write and their arrays, in the form that Spark sends to the tasks. The shards that the region touches
 * are numbered in C order. Partition {@code p} of the rows holds the rows of {@code atOnce} shards, from number
 * {@code p * atOnce} on. Immutable.
 *
 * @param url the location of the target; it may contain a secret, so it must not appear in messages
 * @param dimensions the names of the columns with coordinates
 * @param outputs the arrays, which share one shape and one grid
 * @param origin the origin of the region that the rows may fill
 * @param shape the shape of that region
 * @param shard the shape of a shard
 * @param atOnce the number of shards of a partition
 * @param replacesLeftovers whether shards without rows may hold elements of an earlier write, which must be erased
 * @param guard checks whether the write is still running
 */
record WriteShards(
        String url,
        List<String> dimensions,
        List<OutputArray> outputs,
        long[] origin,
        long[] shape,
        long[] shard,
        long atOnce,
        boolean replacesLeftovers,
        ActiveWriteCheck guard)
        implements Serializable {
    private static final long serialVersionUID = 1L;
    /** The limit on partitions, each of which costs Spark's driver memory and time. */
    private static final long MAX_PARTITIONS = 10_000;

    /**
     * Returns the shards that a region of the arrays touches.
     *
     * @param outputs the arrays, whose chunk grid must be regular
     */
    static WriteShards of(
            Store store,
            String url,
            List<String> dimensions,
            List<OutputArray> outputs,
            Box region,
            boolean replacesLeftovers,
            ActiveWriteCheck guard) {
        ZarrArray array = outputs.get(0).open(store, ZarrOptions.defaults());
        if (!array.metadata().chunkGrid().name().equals("regular")) {
            throw new UnsupportedException("rows cannot be written to " + array.location() + ", whose chunk grid is "
                    + array.metadata().chunkGrid().name() + "; expected a regular grid");
        }
        long count = array.shards(region).count();
        return new WriteShards(
                url,
                List.copyOf(dimensions),
                List.copyOf(outputs),
                region.origin(),
                region.shape(),
                array.storedChunkShape(),
                Math.max(1, (count + MAX_PARTITIONS - 1) / MAX_PARTITIONS),
                replacesLeftovers,
                guard);
    }

    Box region() {
        return Box.of(origin, shape);
    }

    Shards shards(ZarrArray array) {
        return array.shards(region());
    }

    /** Whether the first shards also hold elements before the region, which stay unchanged. */
    boolean sharesShards() {
        return origin[0] % shard[0] != 0;
    }

    /** Returns the range of shards that the region touches, in units of shards. */
    Box cells() {
        return region().cells(shard);
    }

    int partitions() {
        return Math.toIntExact((Shapes.count(cells().shape()) + atOnce - 1) / atOnce);
    }

    /** Returns the bytes of one decoded shard of all arrays; elements of variable size count as 16 bytes. */
    long shardBytes() {
        ZarrOptions options = ZarrOptions.defaults();
        long cells = Arrays.stream(shard).reduce(1, Math::multiplyExact);
        return outputs.stream()
                .mapToLong(output -> cells
                        * output.metadata(options).dataType().elementSize().orElse(16))
                .sum();
    }
}
