package dev.shardkit.store.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;

/**
 * The temporary files of the puts, and of the tests of a file system, that run in this process. A program that is ended
 * by a signal removes them. After {@link #end} has begun, no put begins. Thread-safe.
 */
final class UnfinishedPuts {
    private static final UnfinishedPuts OF_PROCESS = new UnfinishedPuts();

    /** Guarded by this object. */
    private final Set<Path> files = new HashSet<>();

    /** The files of objects that are staged and not being put. Guarded by this object. */
    private final Set<Path> staged = new HashSet<>();

    /** Guarded by this object. */
    private boolean isEnding;

    static UnfinishedPuts ofProcess() {
        return OF_PROCESS;
    }

    /** Notes a temporary file before it is created. */
    synchronized void begin(Path temporary) {
        if (isEnding) {
            throw new CancellationException("the process is ending");
        }
        files.add(temporary);
    }

    /** Notes that a temporary file was moved or removed. */
    synchronized void ended(Path temporary) {
        files.remove(temporary);
        if (files.isEmpty()) {
            notifyAll();
        }
    }

    /** Notes the temporary file of a staged object before it is created. */
    synchronized void stage(Path temporary) {
        if (isEnding) {
            throw new CancellationException("the process is ending");
        }
        staged.add(temporary);
    }

    /** Notes that a staged object was stored or discarded. */
    synchronized void unstaged(Path temporary) {
        staged.remove(temporary);
    }

    /** Refuses further puts, waits for the others, and removes the temporary files of those that last longer. */
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
        Set<Path> remaining = new HashSet<>(files);
        remaining.addAll(staged);
        for (Path file : remaining) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                continue; // a later sweep removes it
            }
        }
    }
}
