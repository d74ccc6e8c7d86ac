package dev.shardkit.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Another JVM that runs a main class of these tests; one talks to it in lines. */
public final class Child implements AutoCloseable {
    private final Process process;
    private final BufferedReader says;

    private Child(Process process) {
        this.process = process;
        this.says = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Starts {@code main} with so much memory. */
    public static Child start(Class<?> main, String memory, String... arguments) {
        return start(List.of(), main, memory, arguments);
    }

    /** Starts one with more options of the JVM. */
    public static Child start(List<String> options, Class<?> main, String memory, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-Dshardkit.rounds=" + Integer.getInteger("shardkit.rounds", 1),
                "-Xmx" + memory));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        try {
            // What the JVM itself warns of is none of the child's lines.
            return new Child(new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its next line; empty when it has ended. */
    public Optional<String> line() {
        try {
            return Optional.ofNullable(says.readLine());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its next line must be this one. */
    public void expect(String expected) {
        Optional<String> found = line();
        if (!found.equals(Optional.of(expected))) {
            kill(); // it may wait for a line that never comes
            throw new AssertionError("expected \"" + expected + "\", found " + found);
        }
    }

    /** The process. */
    public long pid() {
        return process.pid();
    }

    /** Tells it lines. */
    public void say(String... lines) {
        try {
            process.getOutputStream().write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kills it (SIGKILL) and waits until it is gone; what it had said can still be read. */
    public void kill() {
        process.toHandle().destroyForcibly(); // the process's own method would close the pipe as well
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads lines in the child. */
    public static BufferedReader input() {
        return new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        kill();
    }
}
