package dev.shardkit.crash.disk;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A disk that fails: from the outside the default file system, whose calls are counted. Nothing is really forced, so
 * tests are quick. A write that fails has written half of its bytes; a close that fails has closed. Thread-safe.
 */
public final class Disk {
    /** The reason of all failures unless another one is given. */
    public static final String FULL = "No space left on device";
    /** What a file system says that cannot force a directory. */
    public static final String INVALID = "Invalid argument";

    private final DiskFileSystem files = new DiskFileSystem(this, FileSystems.getDefault());
    private final List<String> calls = new ArrayList<>();
    private final Map<String, Long> written = new HashMap<>();
    private Failing failing = Failing.NEVER;
    private Predicate<String> alsoFailing = call -> false;
    private volatile String reason = FULL;
    private volatile Optional<PowerLog> log = Optional.empty();
    private long first;
    private int open;

    /** Which calls fail. */
    public enum Failing {
        /** None. */
        NEVER,
        /** One: the disk is full, or the device errs once. */
        ONE,
        /** One and all after it: to the outside the process died there. */
        FROM
    }

    /** What {@code path} of the default file system is on this disk. */
    public Path path(Path path) {
        return files.wrap(path.toAbsolutePath());
    }

    /** Forgets what was counted; call {@code n}, counted from 1, will fail. */
    public synchronized void fail(Failing which, long n) {
        failing = which;
        first = n;
        calls.clear();
        written.clear();
    }

    /** All calls that {@code which} names will fail: a call and the name of its file, as {@link #calls} tells them. */
    public synchronized void failAll(Predicate<String> which) {
        heal();
        alsoFailing = which;
    }

    /** All calls that {@code which} names will fail, for this reason. */
    public synchronized void failAll(Predicate<String> which, String why) {
        failAll(which);
        reason = why;
    }

    /** As it is without failures. */
    public synchronized void heal() {
        reason = FULL;
        alsoFailing = call -> false;
        fail(Failing.NEVER, 0);
    }

    /** Records from now on what is done below {@code root}, a path of the default file system. */
    public PowerLog record(Path root) throws IOException {
        PowerLog begun = new PowerLog(root.toRealPath());
        log = Optional.of(begun);
        return begun;
    }

    Optional<PowerLog> log() {
        return log;
    }

    /** The calls since, in order. */
    public synchronized List<String> calls() {
        return List.copyOf(calls);
    }

    /** Whether the call that was to fail came. */
    public synchronized boolean failed() {
        return failing != Failing.NEVER && calls.size() >= first;
    }

    /** The first call that failed. */
    public synchronized Optional<String> failure() {
        return failed() ? Optional.of(calls.get((int) first - 1)) : Optional.empty();
    }

    /** How many channels and directory streams are open. */
    public synchronized int open() {
        return open;
    }

    /** How many bytes were written since into files whose path has {@code part} in it. */
    public synchronized long written(String part) {
        return written.entrySet().stream()
                .filter(e -> e.getKey().replace('\\', '/').contains(part))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    synchronized void opened() {
        open++;
    }

    synchronized void closed() {
        open--;
    }

    synchronized void wrote(Path path, long bytes) {
        written.merge(path.toString(), bytes, Long::sum);
    }

    /** A call begins. */
    void call(String what, Path path) throws IOException {
        if (fails(what, path)) {
            throw failure(path);
        }
    }

    /** Whether the call that begins is to fail. */
    synchronized boolean fails(String what, Path path) {
        calls.add(what + " " + path.getFileName());
        boolean now =
                failing == Failing.FROM && calls.size() >= first || failing == Failing.ONE && calls.size() == first;
        return now || alsoFailing.test(calls.get(calls.size() - 1));
    }

    IOException failure(Path path) {
        return reason.equals(INVALID)
                ? new IOException(INVALID) // as a channel says it
                : new FileSystemException(path.toString(), null, reason);
    }
}
