package dev.shardkit.cli.base;

import dev.shardkit.pictures.ShellWords;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The command that runs, for a signal that ends the process: the signal stops it, so that it removes its temporary
 * files, and says how to resume it. Thread-safe: the signal arrives on another thread.
 */
public final class Interrupts {
    private static final int MAX_SECONDS = 10;

    private static volatile @Nullable Running running;

    /** A command and the thread that runs it. */
    private record Running(ShardkitCommand command, String line, Thread thread, CountDownLatch ended) {}

    private Interrupts() {}

    /** Notes that this thread begins a command. */
    static void begin(ShardkitCommand command, String[] args) {
        running = new Running(command, line(args), Thread.currentThread(), new CountDownLatch(1));
    }

    /** Returns the command line, quoted for a shell. */
    public static String line(String[] args) {
        return Arrays.stream(args).map(ShellWords::quoted).collect(Collectors.joining(" ", "shardkit ", ""));
    }

    /** Notes that the command has ended. */
    static void end() {
        Running now = running;
        if (now != null) {
            now.ended.countDown();
        }
        if (!TemporaryPaths.isEnding()) {
            running = null;
        }
    }

    /** Stops the command when a signal ends the process, and says how to resume it. */
    static void stop() {
        Running now = running;
        if (now == null || now.command.afterSignal(now.line).isEmpty()) {
            return;
        }
        try {
            now.thread.interrupt();
            if (!TemporaryPaths.isReading()) {
                now.ended.await(MAX_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            return;
        }
        now.command.afterSignal(now.line).ifPresent(text -> now.command.output().message("interrupted; " + text));
    }
}
