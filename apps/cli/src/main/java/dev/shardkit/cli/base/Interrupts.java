package dev.shardkit.cli.base;

import dev.shardkit.pictures.ShellWords;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the running command, so that a signal can stop it. The stopped command removes its temporary files, and a
 * message says how to resume it. Thread-safe, because the signal arrives on another thread.
 */
public final class Interrupts {
    /** How long {@code stop} waits for the command to end. */
    private static final int MAX_SECONDS = 10;

    private static volatile @Nullable Running running;

    /** A command and the thread that runs it. */
    private record Running(ShardkitCommand command, String quotedLine, Thread thread, CountDownLatch ended) {}

    private Interrupts() {}

    /** Records the start of a command on this thread. */
    static void commandStarted(ShardkitCommand command, String[] args) {
        running = new Running(command, quotedLine(args), Thread.currentThread(), new CountDownLatch(1));
    }

    /** Returns the command line, quoted for a shell. */
    public static String quotedLine(String[] args) {
        return Arrays.stream(args).map(ShellWords::quoted).collect(Collectors.joining(" ", "shardkit ", ""));
    }

    /** Records the end of the command. */
    static void commandEnded() {
        Running current = running;
        if (current != null) {
            current.ended.countDown();
        }
        if (!TemporaryPaths.isEnding()) { // after a signal, stop() still needs the command for its advice
            running = null;
        }
    }

    /** Stops the command after a signal and prints how to resume it. */
    static void stop() {
        Running current = running;
        if (current == null
                || current.command.adviceAfterSignal(current.quotedLine).isEmpty()) {
            return;
        }
        try {
            current.thread.interrupt();
            if (!TemporaryPaths.isReading()) { // a thread that copies an input does not react to interrupts
                current.ended.await(MAX_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            return;
        }
        // Asks again, because the advice depends on how far the command came.
        current.command
                .adviceAfterSignal(current.quotedLine)
                .ifPresent(text -> current.command.output().printMessage("interrupted; " + text));
    }
}
