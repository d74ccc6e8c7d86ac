package dev.shardkit.store.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;

/**
 * Keeps the paths of the temporary files of all puts that run in this process, and of tests of file systems. When a
 * signal terminates the program, {@link #end} removes these files; afterwards no put can begin. Thread-safe.
 */
final class UnfinishedPuts {
    private static final UnfinishedPuts OF_PROCESS = new UnfinishedPuts();

    /** The files of running puts. Guarded by this object. */
    private final Set<Path> files = new HashSet<>();

    /** The files of staged objects. Guarded by this object. */
    private final Set<Path> staged = new HashSet<>();

    /** Whether {@link #end} was called. Guarded by this object. */
    private boolean isEnding;

    static UnfinishedPuts ofProcess() {
        return OF_PROCESS;
    }

    /** Adds the temporary file of a put before the file is created. */
    synchronized void begin(Path temporary) {
        if (isEnding) {
            throw new CancellationException("the process is ending");
        }
        files.add(temporary);
    }

    /** Removes a temporary file that was moved or deleted. */
    synchronized void ended(Path temporary) {
        files.remove(temporary);
        if (files.isEmpty()) {
            notifyAll();
        }
    }

    /** Adds the temporary file of a staged object before the file is created. */
    synchronized void stage(Path temporary) {
        if (isEnding) {
            throw new CancellationException("the process is ending");
        }
        staged.add(temporary);
    }

    /** Removes the temporary file of a staged object that was stored or discarded. */
    synchronized void unstaged(Path temporary) {
        staged.remove(temporary);
    }

    /** Refuses further puts, waits for the running ones, and deletes the temporary files of puts that last longer. */
    synchronized void end(long maxMillis) {
        isEnding = true;
        long start = System.nanoTime();
        long maximum = TimeUnit.MILLISECONDS.toNanos(maxMillis);
        try {
            for (long remaining = maximum;
                    !files.isEmpty() && remaining > 0;
                    remaining = maximum - (System.nanoTime() - start)) {
                TimeUnit.NANOSECONDS.timedWait(this, remaining);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Set<Path> remainingFiles = new HashSet<>(files);
        remainingFiles.addAll(staged);
        for (Path file : remainingFiles) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                continue; // a later sweep removes the file
            }
        }
    }
}
