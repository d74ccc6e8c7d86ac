package dev.shardkit.spark.source;

import dev.shardkit.Shard;
import dev.shardkit.Shards;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spark.task.TaskFailure;
import dev.shardkit.spark.task.Tasks;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.store.Store;
import dev.shardkit.store.policy.WriteOwnership;
import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import org.apache.spark.sql.Row;

/**
 * Stores the shards of a partition. A row has the number of its shard, its coordinates and its values. Stateless. It
 * may run twice, even concurrently: both runs store the same elements.
 */
final class ShardWriteTask implements Serializable {
    private static final long serialVersionUID = 1L;

    private final WriteShards write;

    ShardWriteTask(WriteShards write) {
        this.write = write;
    }

    /**
     * Stores the rows of a partition, which are sorted by shard if there are several. Returns the minimum coordinate in
     * dimension 0, if there are rows.
     */
    Iterator<Long> run(int partition, Iterator<Row> rows) {
        // Other programs may change the older elements of a shard at the same time.
        WriteOwnership ownership = write.sharesShards() ? WriteOwnership.SHARED : WriteOwnership.OWNED;
        ZarrOptions options = Tasks.options().withOwnership(ownership);
        try (Store store = Zarr.openStore(write.url(), options)) {
            List<ZarrArray> arrays = write.outputs().stream()
                    .map(output -> output.open(store, options))
                    .toList();
            Shards shards = write.shards(arrays.get(0));
            long first = partition * write.atOnce();
            long end = Math.min(shards.count(), first + write.atOnce());
            Next next = new Next(rows);
            for (long number = first; number < end; number++) {
                Shard shard = shards.get(number);
                long at = number;
                TaskFailure.named("shard " + shard.key(), () -> {
                    store(store, arrays, shard, at, next);
                    return NoResult.INSTANCE;
                });
            }
            return next.min.stream().iterator();
        }
    }

    /** An iterator over the remaining rows that can peek at the next one. */
    private static final class Next {
        private final Iterator<Row> rows;
        private Row row;
        private OptionalLong min = OptionalLong.empty();

        Next(Iterator<Row> rows) {
            this.rows = rows;
            this.row = rows.hasNext() ? rows.next() : null;
        }

        boolean isOf(long number) {
            return row != null && row.getLong(0) == number;
        }

        Row take() {
            Row taken = row;
            if (!taken.isNullAt(1)) {
                min = OptionalLong.of(Math.min(taken.getLong(1), min.orElse(Long.MAX_VALUE)));
            }
            row = rows.hasNext() ? rows.next() : null;
            return taken;
        }
    }

    private void store(Store store, List<ZarrArray> arrays, Shard shard, long number, Next next) {
        if (next.isOf(number)) {
            ShardCells cells = new ShardCells(write, arrays, shard.box());
            while (next.isOf(number)) {
                cells.put(next.take());
            }
            check(store);
            for (int i = 0; i < arrays.size(); i++) {
                arrays.get(i).write(shard.box(), cells.elements(i), 0);
            }
        } else if (write.replacesLeftovers()) {
            check(store);
            arrays.forEach(array -> array.erase(shard.box()));
        }
    }

    private void check(Store store) {
        if (!write.outputs().stream().allMatch(output -> write.guard().holds(store, output))) {
            throw new StoreException(store.describe() + " was changed by another program, or this write has ended");
        }
    }
}
