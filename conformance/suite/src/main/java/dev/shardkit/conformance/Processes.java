package dev.shardkit.conformance;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Starts, measures and kills the processes of one tool. A mark in their environment identifies them on Linux even after
 * their parent has ended. Thread-safe.
 */
final class Processes {
    /** The environment variable whose value is the mark. */
    private static final String NAME = "SHARDKIT_CONFORMANCE";
    /** The line of the peak resident memory in {@code /proc/PID/status}. */
    private static final String PEAK = "VmHWM:";

    private static final long KIBIBYTE = 1024;
    /** The maximum wait for a killed process to end. */
    private static final long DEATH_SECONDS = 10;

    private final String mark = NAME + "=" + UUID.randomUUID();

    /** Starts a command with the mark, which all its child processes inherit. */
    Process start(ProcessBuilder builder) throws IOException {
        builder.environment().put(NAME, mark.substring(NAME.length() + 1));
        try {
            return builder.start();
        } catch (IOException e) {
            throw new IOException("the tool cannot be started: " + e.getMessage(), e);
        }
    }

    /**
     * Kills the tool and all processes that it started. Returns the number of processes that still ran although the
     * tool had ended.
     */
    int kill(Process process) {
        boolean alive = process.isAlive();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        int strays = 0;
        for (ProcessHandle stray : strays(process.pid())) {
            stray.destroyForcibly();
            strays++;
        }
        return alive ? 0 : strays;
    }

    /** Returns the running processes with the mark, except the tool itself. */
    private List<ProcessHandle> strays(long tool) {
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return all.filter(p -> p.pid() != tool && p.isAlive() && isMarked(p.pid()))
                    .toList();
        }
    }

    private boolean isMarked(long pid) {
        try {
            byte[] environment = Files.readAllBytes(proc(pid, "environ"));
            return new String(environment, StandardCharsets.ISO_8859_1).contains(mark);
        } catch (IOException | SecurityException e) {
            return false; // another user's process, an ended one, or not Linux
        }
    }

    /** Waits briefly for a killed process to end, so that it writes nothing more. */
    static int await(Process process) throws InterruptedException {
        return process.waitFor(DEATH_SECONDS, TimeUnit.SECONDS) ? process.exitValue() : -1;
    }

    /** Restarts the measurement of peak memory; returns the current memory of the process and its children. */
    static OptionalLong peakFromHere(Process process) {
        for (long pid : tree(process.pid())) {
            try {
                Files.writeString(proc(pid, "clear_refs"), "5"); // resets the peak
            } catch (IOException | SecurityException e) {
                continue; // the peak then counts from the start of the process
            }
        }
        return peak(process);
    }

    /**
     * Returns the peak resident memory of the process and its children, in bytes; empty if the system does not report
     * it.
     */
    static OptionalLong peak(Process process) {
        return tree(process.pid()).stream().map(Processes::peak).reduce(OptionalLong.empty(), Processes::sum);
    }

    /**
     * Returns a process and its descendants, as Linux lists them; the JDK would look at every process of the machine.
     */
    private static List<Long> tree(long pid) {
        List<Long> found = new ArrayList<>();
        found.add(pid);
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(proc(pid, "task"))) {
            for (Path task : tasks) {
                String children = Files.readString(task.resolve("children")).strip();
                for (String child : children.isEmpty() ? new String[0] : children.split(" ")) {
                    found.addAll(tree(Long.parseLong(child)));
                }
            }
        } catch (IOException | SecurityException | DirectoryIteratorException e) {
            return found; // the process has ended, or this is not Linux
        }
        return found;
    }

    private static OptionalLong sum(OptionalLong a, OptionalLong b) {
        return a.isEmpty() ? b : b.isEmpty() ? a : OptionalLong.of(a.getAsLong() + b.getAsLong());
    }

    private static OptionalLong peak(long pid) {
        try {
            return Files.readAllLines(proc(pid, "status"), StandardCharsets.ISO_8859_1).stream()
                    .filter(l -> l.startsWith(PEAK))
                    .mapToLong(l -> KIBIBYTE * Long.parseLong(l.replaceAll("\\D", "")))
                    .findFirst();
        } catch (IOException | SecurityException e) {
            return OptionalLong.empty();
        }
    }

    private static Path proc(long pid, String file) {
        return Path.of("/proc", String.valueOf(pid), file);
    }
}
