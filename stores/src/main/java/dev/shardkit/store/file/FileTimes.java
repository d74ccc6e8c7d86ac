package dev.shardkit.store.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Times of change that tell the versions of a file apart, also where they have one inode (one after the other) and one
 * size. Systems stamp files with a clock that ticks every few milliseconds, so two quick writes may get one time.
 *
 * <p>What we put is stamped by us: whole microseconds, always later than what it replaces. What others have written
 * since the last tick could still change without its time changing, so it is not looked at before the next one. What is
 * changed in place is stamped before and after.
 */
final class FileTimes {
    /** Longer than a tick, which is 10 ms at most. */
    private static final Duration TICK = Duration.ofMillis(20);

    private FileTimes() {}

    /** The time for what is about to replace {@code target}. */
    static FileTime ofNext(Path target) throws IOException {
        try {
            return after(Files.getLastModifiedTime(target));
        } catch (NoSuchFileException e) {
            return FileTime.from(Instant.now().truncatedTo(ChronoUnit.MICROS));
        }
    }

    /** A time of ours: now, but later than {@code old}. */
    static FileTime after(FileTime old) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.MICROS);
        Instant next = old.toInstant().truncatedTo(ChronoUnit.MICROS).plus(1, ChronoUnit.MICROS);
        return FileTime.from(next.isAfter(now) ? next : now);
    }

    /**
     * Gives a file that is changed in place a time that it has not had, nor will have again; the system sets another
     * with each write, which may be that of the write before.
     *
     * @param had a time that it had before
     * @return what it has now; empty if the file system can't hold such times
     */
    static Optional<FileTime> stamp(Path file, FileTime had) throws IOException {
        FileTime now = Files.getLastModifiedTime(file);
        FileTime next = after(had.compareTo(now) > 0 ? had : now);
        while (isCoarse(next)) {
            next = after(next);
        }
        Files.setLastModifiedTime(file, next);
        // Not compared with what was set: another owner of the file may have stamped it, or written to it, since.
        return isCoarse(Files.getLastModifiedTime(file)) ? Optional.empty() : Optional.of(next);
    }

    private static boolean isCoarse(FileTime time) {
        return time.toInstant().getNano() % 1_000_000 == 0;
    }

    /** The state of the file at {@code path}, {@code now} or as soon as it tells it from its later ones. */
    static FileState settled(Path path, FileState now) throws IOException {
        FileState file = now;
        for (Duration left = unsettled(file); !left.isZero(); left = unsettled(file)) {
            LockSupport.parkNanos(left.toNanos());
            file = FileState.of(path);
        }
        return file;
    }

    private static Duration unsettled(FileState file) {
        Instant modified = file.modified().toInstant();
        if (file.changed().isPresent() && !isOurs(modified, file.changed().get().toInstant())) {
            return left(file.changed().get().toInstant());
        }
        // Otherwise it is ours, or of a file system that knows no times as fine.
        return modified.getNano() % 1000 == 0 ? Duration.ZERO : left(modified);
    }

    /** Whether we have stamped a file, just before the system did: no other time was set. */
    private static boolean isOurs(Instant modified, Instant changed) {
        Duration apart = Duration.between(modified, changed).abs();
        return modified.getNano() % 1000 == 0 && apart.compareTo(TICK) < 0;
    }

    /** How much of a tick is left since a time. */
    private static Duration left(Instant time) {
        Duration age = Duration.between(time, Instant.now());
        boolean fresh = age.compareTo(TICK) < 0 && age.compareTo(TICK.negated()) > 0;
        return fresh ? TICK.minus(age) : Duration.ZERO;
    }
}
