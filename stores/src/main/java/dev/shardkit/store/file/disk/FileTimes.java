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
 * Modification times that distinguish the versions of a file, even if successive versions have the same inode and size.
 * Systems stamp files with a clock that ticks every few milliseconds, so two quick writes may get the same time.
 *
 * <p>Files that the store writes get a time in whole microseconds, always later than that of the replaced file. A file
 * that another program has written since the last tick could still change without a new time, so the store waits for
 * the next tick before it reads its state. A file that is changed in place is stamped before and after; an owner
 * without durability (an object that its writer owns) stamps it afterwards only.
 */
public final class FileTimes {
    /** Longer than a tick, which takes at most 10 ms. */
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
     * Gives a file that is changed in place a unique time. The system sets another time with each write, which may
     * equal that of the previous write.
     *
     * @param earlier an earlier time of the file
     * @return the new time; empty if the file system cannot store such times
     */
    public static Optional<FileTime> stamp(Path file, FileTime earlier) throws IOException {
        FileTime current = Files.getLastModifiedTime(file);
        FileTime next = uniqueAfter(earlier.compareTo(current) > 0 ? earlier : current);
        set(file, next);
        // Not compared with the requested time: another owner of the file may have stamped or written it since.
        return isCoarse(Files.getLastModifiedTime(file)) ? Optional.empty() : Optional.of(next);
    }

    /**
     * Sets the times of a file. Sets the access time too: otherwise the JDK reads it first, by one more system call.
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
     * Returns the state of the file at {@code path}: {@code state}, or a later one that differs from all future states.
     */
    public static FileState settled(Path path, FileState state) throws IOException {
        FileState latest = state;
        for (Duration remaining = untilSettled(latest); !remaining.isZero(); remaining = untilSettled(latest)) {
            LockSupport.parkNanos(remaining.toNanos());
            latest = FileState.of(path);
        }
        return latest;
    }

    private static Duration untilSettled(FileState file) {
        Instant modified = file.modified().toInstant();
        if (file.changed().isPresent() && !isOurs(modified, file.changed().get().toInstant())) {
            return remainingTick(file.changed().get().toInstant());
        }
        // Otherwise this store wrote it, or the file system has no times as precise.
        return modified.getNano() % 1000 == 0 ? Duration.ZERO : remainingTick(modified);
    }

    /** Returns whether this store has stamped a file just before the system did, so that no other time was set. */
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
