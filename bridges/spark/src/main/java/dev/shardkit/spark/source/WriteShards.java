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
 * The shards of a write and the arrays that they belong to. Partition {@code p} of the rows holds those of the shards
 * from {@code p * atOnce} on, counted in C order in the region. Immutable.
 *
 * @param url the location of the target, which may hold secrets
 * @param dimensions the names of the columns with coordinates
 * @param outputs the arrays, which share one shape and one grid
 * @param origin the origin of the region that the rows may fill
 * @param shape the shape of that region
 * @param shard the shape of a shard
 * @param atOnce the number of shards of a partition
 * @param replacesLeftovers whether shards without rows may hold elements that must go
 * @param guard what must hold while the write runs
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
    private static final long MAX_PARTITIONS = 10_000;

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

    /** Returns the shard cells that the region touches. */
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
