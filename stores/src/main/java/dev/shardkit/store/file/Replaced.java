package dev.shardkit.store.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Files that are about to be replaced. Whoever closes the last channel to a file that has no name any more waits until
 * the system has freed its pages and blocks, a third of the time of rewriting 32 MiB; so large ones are held open until
 * they are replaced, and closed by another thread soon after. On POSIX systems, where an open file is no hindrance; at most
 * {@value #MOST} at a time, so that a disk that is nearly full has its space back soon. Thread-safe.
 */
final class Replaced {
  private static final int MOST = 4;
  private static final long LATER_MILLIS = 20;
  private static final long LARGE = 4 << 20;

  private final Semaphore free = new Semaphore(MOST);

  /** Holds the file at {@code target}, if that is of use, until what is returned is closed: when it was replaced. */
  Closeable hold(Path target) {
    if (!isOfUse(target) || !free.tryAcquire()) {
      return () -> {};
    }
    try {
      FileChannel file = FileChannel.open(target, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
      return () -> letGoElsewhere(file);
    } catch (IOException | RuntimeException e) {
      free.release();
      return () -> {}; // it is replaced all the same
    }
  }

  private void letGoElsewhere(FileChannel file) {
    try {
      // a little later: who has read the old file to write the new one closes it after the put
      CompletableFuture.delayedExecutor(LATER_MILLIS, TimeUnit.MILLISECONDS).execute(() -> letGo(file));
    } catch (RuntimeException | OutOfMemoryError e) {
      letGo(file); // no thread is to be had
    }
  }

  private static boolean isOfUse(Path target) {
    try {
      return target.getFileSystem() == FileSystems.getDefault()
          && target.getFileSystem().supportedFileAttributeViews().contains("unix") && Files.size(target) >= LARGE;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  private void letGo(FileChannel file) {
    try {
      file.close();
    } catch (IOException e) {
      System.getLogger("dev.shardkit.store.file").log(System.Logger.Level.DEBUG, "closing a file failed", e);
    } finally {
      free.release();
    }
  }
}
