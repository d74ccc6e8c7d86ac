package dev.shardkit.conformance;

import dev.shardkit.conformance.Answer.End;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Runs one process on row after row, and restarts it after a row that it did not survive. Stops asking after many
 * consecutive rows without an answer, so that a hanging tool does not use its time limit for each row.
 */
final class BatchTool implements RowTool {
    private static final int MOST_LOSSES = 20;

    private final CommandTemplate command;
    private Optional<BatchProcess> process = Optional.empty();
    private boolean isStarted;
    private int losses;

    BatchTool(CommandTemplate command) {
        this.command = command;
    }

    @Override
    public Answer ask(Row row, RowLimits limits) throws IOException, InterruptedException {
        if (losses >= MOST_LOSSES) {
            return nothing(End.GIVEN_UP, "not asked: the tool has answered none of " + losses + " rows before");
        }
        if (process.isEmpty()) {
            try {
                process = Optional.of(BatchProcess.start(command));
                isStarted = true;
            } catch (IOException e) {
                if (!isStarted) {
                    throw e;
                }
                losses++;
                return nothing(End.CRASH, "started again, " + e.getMessage());
            }
        }
        Answer answer = process.get().ask(row, limits);
        boolean lost = answer.end() != End.VALUES && answer.end() != End.REFUSED;
        losses = lost ? losses + 1 : 0;
        if (lost) {
            close();
        }
        return answer;
    }

    private static Answer nothing(End end, String detail) {
        return new Answer(end, detail, Optional.empty(), "", Duration.ZERO, OptionalLong.empty());
    }

    @Override
    public void close() {
        process.ifPresent(BatchProcess::close);
        process = Optional.empty();
    }
}
