package dev.shardkit.store.file.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Chooses modification times that distinguish the versions of a file, even if successive versions have the same inode
 * and size. The system's own clock for files ticks every few milliseconds, so two quick writes may get the same time.
 *
 * <p>Files that the store writes get a time in whole microseconds, always later than that of the replaced file. A file
 * that another program has written within the current tick may change again without a new time, so the store waits for
 * the next tick before it reads the file's state. A patch, which changes a file in place, sets a new time at its start
 * and at its end. A patch of an array's owner without a journal sets it only at the end.
 */
public final class FileTimes {
    /** An upper bound of the length of a tick, which is at most 10 ms. */
    private static final Duration TICK = Duration.ofMillis(20);

    private FileTimes() {}

    /** Returns the time for the file that replaces {@code target}. */
    public static FileTime ofNext(Path target) throws IOException {
        try {
            return after(Files.getLastModifiedTime(target));
        } catch (NoSuchFileException e) {
            return FileTime.from(Instant.now().truncatedTo(ChronoUnit.MICROS));
        }
    }

    /** Returns the current time, but later than {@code previous}. */
    static FileTime after(FileTime previous) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.MICROS);
        Instant next = previous.toInstant().truncatedTo(ChronoUnit.MICROS).plus(1, ChronoUnit.MICROS);
        return FileTime.from(next.isAfter(now) ? next : now);
    }

    /**
     * Gives a file that is changed in place a time that it never had. The time that the system sets with each write may
     * equal that of the previous write.
     *
     * @param earlier an earlier time of the file
     * @return the new time; empty if the file system cannot store such times
     */
    public static Optional<FileTime> stamp(Path file, FileTime earlier) throws IOException {
        FileTime current = Files.getLastModifiedTime(file);
        FileTime next = uniqueAfter(earlier.compareTo(current) > 0 ? earlier : current);
        set(file, next);
        // The result need not equal the requested time: another program may have written the file since. A whole
        // millisecond, which is never requested, shows that the file system does not store microseconds.
        return isCoarse(Files.getLastModifiedTime(file)) ? Optional.empty() : Optional.of(next);
    }

    /**
     * Sets the modification time of a file, and the access time too, because the JDK would otherwise read the access
     * time first, by one more system call.
     *
     * @param time from {@link #uniqueAfter}
     */
    public static void set(Path file, FileTime time) throws IOException {
        Files.getFileAttributeView(file, BasicFileAttributeView.class).setTimes(time, time, null);
    }

    /** Returns the current time, but later than {@code previous} and not a whole millisecond. */
    public static FileTime uniqueAfter(FileTime previous) {
        FileTime next = after(previous);
        while (isCoarse(next)) {
            next = after(next);
        }
        return next;
    }

    private static boolean isCoarse(FileTime time) {
        return time.toInstant().getNano() % 1_000_000 == 0;
    }

    /**
     * Returns a state of the file at {@code path} that differs from all its future states. This is {@code state} if its
     * tick is over. Otherwise, waits for the next tick and reads the state again.
     */
    public static FileState settled(Path path, FileState state) throws IOException {
        FileState latest = state;
        for (Duration remaining = untilSettled(latest); !remaining.isZero(); remaining = untilSettled(latest)) {
            LockSupport.parkNanos(remaining.toNanos());
            latest = FileState.of(path);
        }
        return latest;
    }

    /** Returns how long a later write may still produce the same state. */
    private static Duration untilSettled(FileState file) {
        Instant modified = file.modified().toInstant();
        if (file.changed().isPresent() && !isOurs(modified, file.changed().get().toInstant())) {
            return remainingTick(file.changed().get().toInstant());
        }
        // Whole microseconds are from this store, or from a file system without more precise times.
        return modified.getNano() % 1000 == 0 ? Duration.ZERO : remainingTick(modified);
    }

    /** Returns whether this store has set the modification time, and the change time is that of this setting. */
    private static boolean isOurs(Instant modified, Instant changed) {
        Duration difference = Duration.between(modified, changed).abs();
        return modified.getNano() % 1000 == 0 && difference.compareTo(TICK) < 0;
    }

    /** Returns the rest of the clock tick that a recent time belongs to; zero if that tick is over. */
    private static Duration remainingTick(Instant time) {
        Duration age = Duration.between(time, Instant.now());
        boolean withinTick = age.compareTo(TICK) < 0 && age.compareTo(TICK.negated()) > 0;
        return withinTick ? TICK.minus(age) : Duration.ZERO;
    }
}
