package dev.shardkit.conformance;

import java.io.IOException;

/** A way to run the tool under test, on one row at a time. Used by one thread at a time. */
interface RowTool extends AutoCloseable {
    /**
     * Runs the tool on {@code row}. The tool writes the values to {@code limits.file()}.
     *
     * @throws IOException if the tool cannot be started at all
     */
    ToolResult ask(Row row, RowLimits limits) throws IOException, InterruptedException;

    /** Kills all processes that still run. */
    @Override
    void close();
}
