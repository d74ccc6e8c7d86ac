package dev.shardkit.arrow;

import dev.shardkit.ResizePolicy;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import org.apache.arrow.vector.FieldVector;

/**
 * Appends the values of a column to its array. Buffers the rows of one shard and writes whole shards. Not thread-safe.
 */
final class ColumnWriter {
    private final VectorToArray converter;
    private final int bufferRows;
    private ZarrArray array;
    private final Object buffer;
    private int bufferedRows;
    private boolean isEndCleared;

    ColumnWriter(ZarrArray array, Nulls nulls) {
        this.array = array;
        this.converter = new VectorToArray(array, nulls);
        this.bufferRows = ZarrTable.storedRows(array);
        this.buffer = converter.allocate(bufferRows);
    }

    /** Appends the values of a batch. */
    void add(FieldVector vector, int rows) {
        Object elements = converter.read(vector, rows, array.shape()[0] + bufferedRows);
        int words = converter.words();
        for (int done = 0; done < rows; ) {
            int part = Math.min(rows - done, bufferRows - bufferedRows);
            System.arraycopy(elements, done * words, buffer, bufferedRows * words, part * words);
            done += part;
            bufferedRows += part;
            if (bufferedRows == bufferRows) {
                flush();
            }
        }
    }

    /** Writes the buffered rows. */
    void flush() {
        if (bufferedRows > 0) {
            long rows = array.shape()[0];
            // Stored chunks beyond the end of the array are leftovers of another program. The first resize removes
            // them; later resizes need not look for them again.
            ResizePolicy policy = isEndCleared ? ResizePolicy.KEEP : ResizePolicy.REMOVE;
            array = array.resize(new long[] {rows + bufferedRows}, policy);
            isEndCleared = true;
            array.write(Box.of(new long[] {rows}, new long[] {bufferedRows}), buffer, 0);
            bufferedRows = 0;
        }
    }

    void close() {
        array.close();
    }
}
