package dev.shardkit.store.file;

import dev.shardkit.store.internal.Keys;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Directories on the device. */
final class Directories {
  private Directories() {}

  /**
   * Forces a directory and {@code above} of those above it. Not all platforms can; then there is nothing to do.
   *
   * @return whether at least {@code directory} was forced
   */
  static boolean force(Path directory, int above) {
    Path at = directory;
    for (int i = 0; i <= above && at != null; i++, at = at.getParent()) {
      try (FileChannel channel = FileChannel.open(at, StandardOpenOption.READ)) {
        channel.force(true);
      } catch (IOException | UnsupportedOperationException e) {
        return i > 0;
      }
    }
    return true;
  }

  /**
   * Forces a directory with all files and directories in it, and its own entry. Lock files and journals are left out:
   * they carry locks, which the closing of another channel would drop ({@link LockRegistry}).
   */
  static void forceAll(Path directory) throws IOException {
    Files.walkFileTree(directory, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult preVisitDirectory(Path inner, BasicFileAttributes attributes) {
        boolean locks = inner.getFileName() != null && inner.getFileName().toString().equals(Keys.RESERVED);
        return locks ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        if (attributes.isRegularFile()) {
          forceFile(file);
        }
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
        if (e instanceof NoSuchFileException) {
          return FileVisitResult.CONTINUE; // gone meanwhile
        }
        throw e;
      }

      @Override
      public FileVisitResult postVisitDirectory(Path inner, @Nullable IOException e) throws IOException {
        if (e != null) {
          throw e;
        }
        force(inner, 0);
        return FileVisitResult.CONTINUE;
      }
    });
    force(directory, 1);
  }

  private static void forceFile(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    } catch (NoSuchFileException | UnsupportedOperationException e) {
      return; // gone meanwhile; a file system of which nothing is on a device
    }
  }
}
