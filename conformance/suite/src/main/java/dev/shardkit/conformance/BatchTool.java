package dev.shardkit.conformance;

import dev.shardkit.conformance.ToolResult.End;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Asks a tool whose single process answers many rows. Starts a new process after a row that the process did not
 * survive. After many consecutive rows without an answer, further rows are not asked: a tool that hangs would use the
 * whole time limit for each of them.
 */
final class BatchTool implements RowTool {
    /** The number of consecutive rows without an answer after which no more are asked. */
    private static final int MAX_LOSSES = 20;

    private final CommandTemplate command;
    private @Nullable BatchProcess process;
    private boolean isStarted;
    /** The number of consecutive rows without an answer. */
    private int losses;

    BatchTool(CommandTemplate command) {
        this.command = command;
    }

    @Override
    public ToolResult ask(Row row, RowLimits limits) throws IOException, InterruptedException {
        if (losses >= MAX_LOSSES) {
            return unanswered(End.GIVEN_UP, "not asked: the tool has answered none of " + losses + " rows before");
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
                return unanswered(End.CRASH, "started again, " + e.getMessage());
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

    private static ToolResult unanswered(End end, String detail) {
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
