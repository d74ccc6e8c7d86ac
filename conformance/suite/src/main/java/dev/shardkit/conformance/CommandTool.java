package dev.shardkit.conformance;

import dev.shardkit.conformance.ToolResult.End;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** Runs a tool once for each row, with a time limit. No process that it started outlives the call. */
final class CommandTool implements RowTool {
    /** Java returns 128 plus the signal for a killed process, like shells. */
    private static final int FIRST_SIGNAL = 129;

    private static final long LOOK_MILLIS = 10;
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
        Optional<End> passed = Optional.empty();
        boolean ended = false;
        int left;
        try {
            process.getOutputStream().close();
            while (!ended && passed.isEmpty()) {
                ended = process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                OptionalLong peak = ended ? OptionalLong.empty() : Processes.peak(process);
                memory = peak.isPresent() ? peak : memory;
                passed = ended ? passed : limits.passed(System.nanoTime() - start, memory);
            }
        } finally {
            left = processes.kill(process);
        }
        Duration time = Duration.ofNanos(System.nanoTime() - start);
        int status = Processes.await(process);
        reader.join(LAST_WORDS_MILLIS);
        End end = passed.orElse(end(status));
        String detail = passed.isPresent() ? limits.detail(end) : end == End.VALUES ? "" : "exit status " + status;
        return new ToolResult(end, detail + strays(left, detail), Optional.empty(), output.text(), time, memory);
    }

    private static String strays(int left, String detail) {
        return left == 0 ? "" : (detail.isEmpty() ? "" : "; ") + "killed " + left + " processes that outlived the tool";
    }

    private static End end(int status) {
        // Windows uses negative numbers where Unix has signals.
        return status == 0 ? End.VALUES : status < 0 || status >= FIRST_SIGNAL ? End.CRASH : End.REFUSED;
    }

    @Override
    public void close() {
        // No process outlives a row.
    }
}
