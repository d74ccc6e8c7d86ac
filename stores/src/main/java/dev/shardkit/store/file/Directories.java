package dev.shardkit.store.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Directories on the device. */
final class Directories {
  private Directories() {}

  /**
   * Forces a directory and {@code above} of those above it. Not all platforms can; then there is nothing to do.
   */
  static void force(Path directory, int above) {
    Path at = directory;
    for (int i = 0; i <= above && at != null; i++, at = at.getParent()) {
      try (FileChannel channel = FileChannel.open(at, StandardOpenOption.READ)) {
        channel.force(true);
      } catch (IOException | UnsupportedOperationException e) {
        return;
      }
    }
  }
}
