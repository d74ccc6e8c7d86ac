package dev.shardkit.conformance;

import dev.shardkit.conformance.ToolResult.End;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Runs a tool once for each row, with limits for its time and memory. Kills all processes of the tool before the call
 * returns.
 */
final class CommandTool implements RowTool {
    /** The lowest exit status of a killed process: like shells, Java returns 128 plus the number of the signal. */
    private static final int FIRST_SIGNAL = 129;

    /** The interval at which time and memory are checked. */
    private static final long LOOK_MILLIS = 10;
    /** The maximum wait for output that the ended tool has printed. */
    private static final long LAST_WORDS_MILLIS = 2000;

    private final CommandTemplate command;
    private final Processes processes = new Processes();

    CommandTool(CommandTemplate command) {
        this.command = command;
    }

    @Override
    public ToolResult ask(Row row, RowLimits limits) throws IOException, InterruptedException {
        long start = System.nanoTime();
        Process process =
                processes.start(new ProcessBuilder(command.command(row.folder(), limits.file(), row.selection()))
                        .redirectErrorStream(true));
        Captured output = new Captured();
        Thread reader = output.drain(process.getInputStream());
        OptionalLong memory = OptionalLong.empty();
        Optional<End> exceeded = Optional.empty();
        boolean ended = false;
        int outlivingProcesses;
        try {
            process.getOutputStream().close();
            while (!ended && exceeded.isEmpty()) {
                ended = process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                OptionalLong peak = ended ? OptionalLong.empty() : Processes.peak(process);
                memory = peak.isPresent() ? peak : memory;
                exceeded = ended ? exceeded : limits.passed(System.nanoTime() - start, memory);
            }
        } finally {
            outlivingProcesses = processes.kill(process);
        }
        Duration time = Duration.ofNanos(System.nanoTime() - start);
        int status = Processes.await(process);
        reader.join(LAST_WORDS_MILLIS);
        End end = exceeded.orElse(end(status));
        String detail = "";
        if (exceeded.isPresent()) {
            detail = limits.detail(end);
        } else if (end != End.VALUES) {
            detail = "exit status " + status;
        }
        return new ToolResult(
                end, detail + killed(outlivingProcesses, detail), Optional.empty(), output.text(), time, memory);
    }

    /** Returns the text about killed processes that is appended to {@code detail}. */
    private static String killed(int count, String detail) {
        return count == 0
                ? ""
                : (detail.isEmpty() ? "" : "; ") + "killed " + count + " processes that outlived the tool";
    }

    private static End end(int status) {
        if (status == 0) {
            return End.VALUES;
        }
        // Windows uses negative numbers where Unix has signals.
        return status < 0 || status >= FIRST_SIGNAL ? End.CRASH : End.REFUSED;
    }

    @Override
    public void close() {
        // No process outlives a row.
    }
}
