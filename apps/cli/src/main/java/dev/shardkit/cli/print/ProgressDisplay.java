package dev.shardkit.cli.print;

import dev.shardkit.maintenance.Progress;
import dev.shardkit.store.StoreListener;
import java.io.Console;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Shows the progress of a command: a bar if standard error is a terminal, otherwise nothing. Thread-safe. */
public abstract class ProgressDisplay implements StoreListener, AutoCloseable {
    /** The width of the bar in characters. */
    private static final int WIDTH = 79;

    private static final int INTERVAL_MILLIS = 200;
    private static final int MIB = 1 << 20;
    /** The unit for bytes, displayed as MiB. */
    public static final String BYTES = "bytes";

    /** Returns the progress display for the command {@code name}, which counts stored objects. */
    public static ProgressDisplay of(String name, Output output) {
        return of(name, "objects", output);
    }

    /** Returns the progress display for the command {@code name}, which counts {@code unit}. */
    public static ProgressDisplay of(String name, String unit, Output output) {
        return isOnTerminal() ? new Bar(name, unit, output) : new NoProgress();
    }

    /** Returns a listener of maintenance runs that counts objects. */
    public final Progress ofObjects() {
        return (array, done, total) -> onProgress(done, total);
    }

    /** Returns a listener of copies that counts decoded bytes. */
    public final Progress ofBytes() {
        return new Progress() {
            @Override
            public void at(String array, long done, long total) {}

            @Override
            public void bytes(long done, long total) {
                onProgress(done, total);
            }
        };
    }

    @Override
    public abstract void close();

    /** Whether standard error is a terminal. Since JDK 22, a console may exist without one. */
    private static boolean isOnTerminal() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException e) {
            return true; // before JDK 22
        }
    }

    private static final class NoProgress extends ProgressDisplay {
        @Override
        public void close() {}
    }

    private static final class Bar extends ProgressDisplay {
        private final ProgressBar bar;

        Bar(String name, String unit, Output output) {
            this.bar = new ProgressBarBuilder()
                    .setTaskName(name)
                    .setStyle(ProgressBarStyle.ASCII)
                    .setUnit(unit.equals(BYTES) ? " MiB" : " " + unit, unit.equals(BYTES) ? MIB : 1)
                    .showSpeed()
                    .setUpdateIntervalMillis(INTERVAL_MILLIS)
                    .setConsumer(new ConsoleProgressBarConsumer(
                            new PrintStream(output.messages(), true, StandardCharsets.UTF_8), WIDTH))
                    .build();
        }

        @Override
        public void onProgress(long done, long total) {
            bar.maxHint(total);
            bar.stepTo(Math.max(done, bar.getCurrent())); // calls of several threads may arrive out of order
        }

        @Override
        public void close() {
            bar.close();
        }
    }
}
