package dev.shardkit.conformance;

import dev.shardkit.conformance.ToolResult.End;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Runs one process on row after row, and restarts it after a row that it did not survive. Stops asking after many
 * consecutive rows without an answer, so that a hanging tool does not use its time limit for each row.
 */
final class BatchTool implements RowTool {
    private static final int MAX_LOSSES = 20;

    private final CommandTemplate command;
    private @Nullable BatchProcess process;
    private boolean isStarted;
    private int losses;

    BatchTool(CommandTemplate command) {
        this.command = command;
    }

    @Override
    public ToolResult ask(Row row, RowLimits limits) throws IOException, InterruptedException {
        if (losses >= MAX_LOSSES) {
            return nothing(End.GIVEN_UP, "not asked: the tool has answered none of " + losses + " rows before");
        }
        BatchProcess running = process;
        if (running == null) {
            try {
                running = BatchProcess.start(command);
                process = running;
                isStarted = true;
            } catch (IOException e) {
                if (!isStarted) {
                    throw e;
                }
                losses++;
                return nothing(End.CRASH, "started again, " + e.getMessage());
            }
        }
        ToolResult answer = running.ask(row, limits);
        boolean lost = answer.end() != End.VALUES && answer.end() != End.REFUSED;
        losses = lost ? losses + 1 : 0;
        if (lost) {
            close();
        }
        return answer;
    }

    private static ToolResult nothing(End end, String detail) {
        return new ToolResult(end, detail, Optional.empty(), "", Duration.ZERO, OptionalLong.empty());
    }

    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
        process = null;
    }
}
