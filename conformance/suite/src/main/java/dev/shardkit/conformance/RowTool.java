package dev.shardkit.conformance;

import java.io.IOException;

/** The tool under test, asked about one row at a time. Used by one thread at a time. */
interface RowTool extends AutoCloseable {
    /**
     * Asks about {@code row}; the tool writes its values to {@code limits.file()}.
     *
     * @throws IOException if the tool cannot be started at all
     */
    Answer ask(Row row, RowLimits limits) throws IOException, InterruptedException;

    /** Kills whatever still runs. */
    @Override
    void close();
}
