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
 * The Spark task that stores the shards of one partition of rows. A row has the number of its shard, its coordinates
 * and its values. Stateless. The task may run twice, even concurrently: both runs store the same elements.
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
        // If a shard also holds elements before the region, other programs may change these at the same time.
        WriteOwnership ownership = write.sharesShards() ? WriteOwnership.SHARED : WriteOwnership.OWNED;
        ZarrOptions options = Tasks.options().withOwnership(ownership);
        try (Store store = Zarr.openStore(write.url(), options)) {
            List<ZarrArray> arrays = write.outputs().stream()
                    .map(output -> output.open(store, options))
                    .toList();
            Shards shards = write.shards(arrays.get(0));
            long first = partition * write.atOnce();
            long end = Math.min(shards.count(), first + write.atOnce());
            PeekingRows peekingRows = new PeekingRows(rows);
            for (long number = first; number < end; number++) {
                Shard shard = shards.get(number);
                long shardNumber = number;
                TaskFailure.named("shard " + shard.key(), () -> {
                    store(store, arrays, shard, shardNumber, peekingRows);
                    return NoResult.INSTANCE;
                });
            }
            return peekingRows.min.stream().iterator();
        }
    }

    /** Iterates over the rows and can peek at the next one. Records the minimum coordinate in dimension 0. */
    private static final class PeekingRows {
        private final Iterator<Row> rows;
        /** The next row; null at the end. */
        private Row next;

        /** The minimum coordinate in dimension 0 of the rows that were taken. */
        private OptionalLong min = OptionalLong.empty();

        PeekingRows(Iterator<Row> rows) {
            this.rows = rows;
            this.next = rows.hasNext() ? rows.next() : null;
        }

        boolean isNextOfShard(long number) {
            return next != null && next.getLong(0) == number;
        }

        Row take() {
            Row taken = next;
            if (!taken.isNullAt(1)) {
                min = OptionalLong.of(Math.min(taken.getLong(1), min.orElse(Long.MAX_VALUE)));
            }
            next = rows.hasNext() ? rows.next() : null;
            return taken;
        }
    }

    /** Stores the rows of one shard. Erases the shard if it has no rows but may hold elements of an earlier write. */
    private void store(Store store, List<ZarrArray> arrays, Shard shard, long number, PeekingRows rows) {
        if (rows.isNextOfShard(number)) {
            ShardCells cells = new ShardCells(write, arrays, shard.box());
            while (rows.isNextOfShard(number)) {
                cells.put(rows.take());
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

    /** Throws unless the write is still running. */
    private void check(Store store) {
        if (!write.outputs().stream().allMatch(output -> write.guard().holds(store, output))) {
            throw new StoreException(store.describe() + " was changed by another program, or this write has ended");
        }
    }
}
