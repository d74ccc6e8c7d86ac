package dev.shardkit.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a tool once, with a time limit; nothing that it started outlives the call. */
final class ToolProcess {
    /** Java gives 128 plus the signal of what was killed; shells do the same. */
    private static final int FIRST_SIGNAL = 129;

    private static final int KEPT = 4000;
    private static final long LAST_WORDS_MILLIS = 2000;

    /** How it ended. */
    enum End {
        SUCCESS,
        FAILURE,
        SIGNAL,
        TIMEOUT
    }

    /** How it ended, with what exit status and output. */
    record Result(End end, int status, String output, Duration time) {}

    private ToolProcess() {}

    static Result run(List<String> command, Duration limit) throws IOException, InterruptedException {
        long start = System.nanoTime();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        StringBuilder output = new StringBuilder();
        Thread reader = new Thread(() -> drain(process.getInputStream(), output), "tool output");
        reader.setDaemon(true);
        reader.start();
        boolean ended = false;
        try {
            process.getOutputStream().close();
            ended = process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
        } finally {
            kill(process);
        }
        Duration time = Duration.ofNanos(System.nanoTime() - start);
        int status = process.waitFor();
        reader.join(LAST_WORDS_MILLIS);
        String said;
        synchronized (output) {
            said = output.toString().strip();
        }
        return new Result(end(ended, status), status, said, time);
    }

    private static End end(boolean ended, int status) {
        if (!ended) {
            return End.TIMEOUT;
        }
        // Windows has negative numbers for what Unix has signals for.
        return status == 0 ? End.SUCCESS : status < 0 || status >= FIRST_SIGNAL ? End.SIGNAL : End.FAILURE;
    }

    private static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** Keeps the beginning and reads the rest, so that the tool is never held up. */
    private static void drain(InputStream in, StringBuilder kept) {
        byte[] buffer = new byte[KEPT];
        try (in) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                synchronized (kept) {
                    if (kept.length() < KEPT) {
                        kept.append(new String(buffer, 0, n, StandardCharsets.UTF_8));
                    }
                }
            }
        } catch (IOException e) {
            return; // it was killed
        }
    }
}
