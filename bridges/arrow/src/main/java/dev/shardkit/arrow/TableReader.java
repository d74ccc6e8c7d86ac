package dev.shardkit.arrow;

import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.plan.NoResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/** Reads arrays as the columns of a table, batch by batch. Reads the columns of a batch concurrently. */
final class TableReader extends ArrowReader {
    private final List<ZarrArray> columns;
    private final Schema schema;
    private final long rows;
    private final int batchRows;
    private final Nulls nulls;
    private long position;
    private long bytesRead;

    TableReader(
            BufferAllocator allocator, List<ZarrArray> columns, Schema schema, long rows, int batchRows, Nulls nulls) {
        super(allocator);
        this.columns = columns;
        this.schema = schema;
        this.rows = rows;
        this.batchRows = batchRows;
        this.nulls = nulls;
    }

    @Override
    public boolean loadNextBatch() throws java.io.IOException {
        prepareLoadNextBatch();
        if (position == rows) {
            return false;
        }
        int count = (int) Math.min(batchRows, rows - position);
        Box box = Box.of(new long[] {position}, new long[] {count});
        List<ColumnLoad> loads = new ArrayList<>();
        List<CompletableFuture<NoResult>> running = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            FieldVector vector = getVectorSchemaRoot().getVector(i);
            ColumnLoad load = ColumnLoad.of(columns.get(i), vector, count, nulls);
            loads.add(load);
            running.add(start(columns.get(i), box, load));
        }
        await(running);
        loads.forEach(ColumnLoad::end);
        getVectorSchemaRoot().setRowCount(count);
        for (FieldVector vector : getVectorSchemaRoot().getFieldVectors()) {
            bytesRead += vector.getBufferSize();
        }
        position += count;
        return true;
    }

    private static CompletableFuture<NoResult> start(ZarrArray column, Box box, ColumnLoad load) {
        try {
            return column.readAsync(box, load.target());
        } catch (RuntimeException | Error e) { // reads of other columns may be running: await() waits for them
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Waits for all reads, even if one fails: afterwards no thread writes to the memory of the vectors. */
    private static void await(List<CompletableFuture<NoResult>> running) {
        @Nullable RuntimeException firstError = null;
        for (CompletableFuture<NoResult> read : running) {
            try {
                read.join();
            } catch (CompletionException e) {
                RuntimeException cause = e.getCause() instanceof RuntimeException r ? r : e;
                firstError = firstError == null ? cause : firstError;
            }
        }
        if (firstError != null) {
            throw firstError;
        }
    }

    /** Returns the total size of the vectors of all batches loaded so far. */
    @Override
    public long bytesRead() {
        return bytesRead;
    }

    /** Closes nothing, because the caller owns the arrays. */
    @Override
    protected void closeReadSource() {}

    @Override
    protected Schema readSchema() {
        return schema;
    }
}
