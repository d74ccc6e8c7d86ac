package dev.shardkit.store.file;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.internal.KeyLocks;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * The lock file of one array: byte {@code slot} of it, locked, means that a process holds that lock. Within the
 * process a fair lock comes first, since the system does not tell a process from itself. Thread-safe.
 */
final class LockFile {
  /**
   * The lock files in use, for all stores of the process. The one place that must be static: on POSIX systems the
   * closing of <em>any</em> channel to a file drops all locks that the process has on it, so there may be one channel
   * only, whichever stores lead to the file. An entry goes when its last lock does.
   */
  private static final ConcurrentHashMap<Path, LockFile> IN_USE = new ConcurrentHashMap<>();

  private static final long FIRST_PAUSE = 100_000;
  private static final long LONGEST_PAUSE = 2_000_000;
  private static final int HANDOVERS = 32;

  private final Path path;
  private final LockHolders holders;
  private final KeyLocks<Long> local = new KeyLocks<>();
  private final ConcurrentHashMap<Long, Integer> handovers = new ConcurrentHashMap<>();
  private final List<Opened> opened = new ArrayList<>();
  private int users;

  private record Opened(Optional<FileChannel> channel, Optional<Object> fileKey) {}

  private LockFile(Path path) {
    this.path = path;
    this.holders = new LockHolders(path.resolveSibling("lock-holders"));
  }

  /**
   * Takes a lock.
   *
   * @param path a real path; its directory is there
   * @param nanos how long to wait
   * @param refused what to throw if it was not to be had, of who holds it
   */
  static Held acquire(Path path, long slot, long nanos, Function<String, StoreException> refused)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    LockFile file = IN_USE.compute(path, (p, old) -> {
      LockFile f = old == null ? new LockFile(p) : old;
      f.users++;
      return f;
    });
    Optional<Held> held = Optional.empty();
    try {
      held = file.acquire(slot, start, nanos);
      return held.orElseThrow(() -> refused.apply(file.holder(slot)));
    } finally {
      if (held.isEmpty()) {
        file.leave();
      }
    }
  }

  private String holder(long slot) {
    return local.holder(slot).or(() -> holders.last(slot)).orElse("another process, which left no name");
  }

  private Optional<Held> acquire(long slot, long start, long nanos) throws IOException, InterruptedException {
    Optional<KeyLocks<Long>.Held> mine = local.acquire(slot, nanos);
    if (mine.isEmpty()) {
      return Optional.empty();
    }
    Optional<Held> held = Optional.empty();
    try {
      giveWay(slot);
      long pause = FIRST_PAUSE;
      while (true) {
        Optional<FileLock> lock = tryLock(slot);
        if (lock.isPresent() || !shared()) {
          held = Optional.of(new Held(slot, mine.get(), lock));
          if (lock.isPresent()) {
            holders.taken(slot);
          }
          return held;
        }
        long left = nanos - (System.nanoTime() - start);
        if (left <= 0) {
          return held;
        }
        LockSupport.parkNanos(Math.min(left, pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2)));
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        pause = Math.min(LONGEST_PAUSE, pause * 2);
      }
    } finally {
      if (held.isEmpty()) {
        mine.get().release();
      }
    }
  }

  /** Threads that hand a lock to each other leave no gap for other processes, which poll; so they make one at times. */
  private void giveWay(long slot) {
    if (handovers.getOrDefault(slot, 0) >= HANDOVERS) {
      handovers.remove(slot);
      LockSupport.parkNanos(LONGEST_PAUSE + LONGEST_PAUSE / 2);
    }
  }

  private synchronized boolean shared() {
    return opened.get(opened.size() - 1).channel().isPresent();
  }

  private synchronized Optional<FileLock> tryLock(long slot) throws IOException {
    for (int i = 0; i < 100; i++) {
      if (opened.isEmpty()) {
        opened.add(open());
      }
      Opened current = opened.get(opened.size() - 1);
      if (current.channel().isEmpty()) {
        return Optional.empty();
      }
      Optional<FileLock> lock;
      try {
        lock = Optional.ofNullable(current.channel().get().tryLock(slot, 1, false));
      } catch (OverlappingFileLockException e) {
        return Optional.empty(); // another copy of this class, from another class loader
      }
      if (lock.isEmpty() || isStill(current, lock.get())) {
        return lock;
      }
      // The file was deleted with its array, and perhaps made anew: what we locked means nothing to others.
      lock.get().release();
      opened.add(open());
    }
    throw new IOException("the lock file " + path + " vanishes again and again");
  }

  /** Whether the file that was locked is the one that others lock; if that can't be told, the lock goes. */
  private boolean isStill(Opened file, FileLock lock) throws IOException {
    try {
      return fileKey().equals(file.fileKey());
    } catch (IOException | RuntimeException e) {
      lock.release();
      throw e;
    }
  }

  private Opened open() throws IOException {
    for (int i = 0; i < 100; i++) {
      Optional<Object> before = fileKey();
      try {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        boolean same = false;
        try {
          same = before.equals(fileKey());
        } finally {
          if (!same) {
            channel.close();
          }
        }
        if (same) {
          return new Opened(Optional.of(channel), before);
        }
      } catch (UnsupportedOperationException e) {
        return new Opened(Optional.empty(), before);
      } catch (NoSuchFileException e) {
        create();
      }
    }
    throw new IOException("the lock file " + path + " vanishes again and again");
  }

  private void create() throws IOException {
    try {
      Files.createFile(path);
    } catch (FileAlreadyExistsException e) {
      return; // another process was quicker
    }
  }

  /** What tells the file from one that takes its place; empty where the file system has nothing such. */
  private Optional<Object> fileKey() throws IOException {
    try {
      return Optional.ofNullable(
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).fileKey());
    } catch (NoSuchFileException e) {
      return Optional.of(new Object());
    }
  }

  private void leave() throws IOException {
    List<IOException> failures = new ArrayList<>();
    IN_USE.computeIfPresent(path, (p, f) -> {
      if (--users > 0) {
        return f;
      }
      // Inside, so that nobody opens the file anew before it is closed here: that close would drop the newcomer's
      // locks.
      for (Opened o : opened) {
        try {
          if (o.channel().isPresent()) {
            o.channel().get().close();
          }
        } catch (IOException e) {
          failures.add(e);
        }
      }
      return null;
    });
    if (!failures.isEmpty()) {
      throw failures.get(0);
    }
  }

  /** A lock that is held. Letting go twice does nothing. */
  final class Held {
    private final long slot;
    private final KeyLocks<Long>.Held mine;
    private final Optional<FileLock> lock;
    private final AtomicBoolean held = new AtomicBoolean(true);

    private Held(long slot, KeyLocks<Long>.Held mine, Optional<FileLock> lock) {
      this.slot = slot;
      this.mine = mine;
      this.lock = lock;
    }

    void release() throws IOException {
      if (!held.compareAndSet(true, false)) {
        return;
      }
      try {
        if (lock.isPresent()) {
          lock.get().release();
        }
      } finally {
        if (mine.isWantedByOthers()) {
          handovers.merge(slot, 1, Integer::sum);
        } else {
          handovers.remove(slot);
        }
        mine.release();
        leave();
      }
    }
  }
}
