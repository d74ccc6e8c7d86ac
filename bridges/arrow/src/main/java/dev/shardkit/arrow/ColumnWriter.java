package dev.shardkit.arrow;

import dev.shardkit.ResizePolicy;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import org.apache.arrow.vector.FieldVector;

/** Appends values to an array, a shard at a time. Not thread-safe. */
final class ColumnWriter {
    private final VectorToArray values;
    private final int batch;
    private ZarrArray array;
    private final Object waiting;
    private int count;
    private boolean isClear;

    ColumnWriter(ZarrArray array, Nulls nulls) {
        this.array = array;
        this.values = new VectorToArray(array, nulls);
        this.batch = ZarrTable.storedRows(array);
        this.waiting = values.allocate(batch);
    }

    /** Appends the values of a batch. */
    void add(FieldVector vector, int rows) {
        Object elements = values.read(vector, rows, array.shape()[0] + count);
        int words = values.words();
        for (int done = 0; done < rows; ) {
            int part = Math.min(rows - done, batch - count);
            System.arraycopy(elements, done * words, waiting, count * words, part * words);
            done += part;
            count += part;
            if (count == batch) {
                flush();
            }
        }
    }

    /** Writes the buffered values. */
    void flush() {
        if (count > 0) {
            long rows = array.shape()[0];
            // The first resize clears leftovers of other programs beyond the end; later batches follow this writer's
            // own.
            array = array.resize(new long[] {rows + count}, isClear ? ResizePolicy.KEEP : ResizePolicy.REMOVE);
            isClear = true;
            array.write(Box.of(new long[] {rows}, new long[] {count}), waiting, 0);
            count = 0;
        }
    }

    void close() {
        array.close();
    }
}
