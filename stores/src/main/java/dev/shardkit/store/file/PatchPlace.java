package dev.shardkit.store.file;

import dev.shardkit.store.internal.Keys;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Where the patches of one file are told of: {@code DIRECTORY/__shardkit/patches/NAME/}, a journal for each that is
 * under way. It lies beside the file, where a reader finds it by one look: the file's own times can't tell, since the
 * system sets them with every write. {@code patches} stays when the last patch is done: it says that files of this
 * directory are changed in place at times. Immutable.
 *
 * @param file the file, a real path
 * @param patches the directory for all files of its directory
 * @param own the directory for this one; there while a patch is under way or was cut short, and some time after
 */
record PatchPlace(Path file, Path patches, Path own) {
  private static final int TRIES = 100;

  /** The place for the file at {@code real}, a real path. */
  static PatchPlace of(Path real) {
    Path patches = real.resolveSibling(Keys.RESERVED).resolve("patches");
    return new PatchPlace(real, patches, patches.resolve(real.getFileName()));
  }

  /** Whether files of this directory have ever been changed in place. */
  boolean isUsed() {
    return Files.exists(patches);
  }

  /** Whether the file is being changed in place, or such a change was cut short. */
  boolean isUnderWay() throws IOException {
    return !journals().isEmpty();
  }

  /** Whether there is the file's directory; a disk that does not say so fails. */
  boolean isThere() throws IOException {
    try {
      return Files.readAttributes(own, BasicFileAttributes.class).isDirectory();
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** The journals that there are. */
  List<Path> journals() throws IOException {
    List<Path> all = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(own)) {
      files.forEach(all::add);
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of();
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return all;
  }

  /** Makes the directories; the path of a new journal, which is not yet there. Tried again if it can't be made. */
  Path next() throws IOException {
    try {
      Files.createDirectory(own);
    } catch (FileAlreadyExistsException e) {
      // another patch of the file is under way, or was cut short
    } catch (NoSuchFileException e) {
      Files.createDirectories(patches);
      if (!patches.toRealPath(LinkOption.NOFOLLOW_LINKS).equals(patches.toRealPath())) {
        throw new IOException("a symbolic link where journals belong: " + patches);
      }
      return next();
    }
    return own.resolve(UUID.randomUUID().toString());
  }

  /** Opens a new journal; the directory may vanish under it, as that of another patch which is done. */
  <T> T make(Maker<T> maker) throws IOException {
    for (int i = 1; ; i++) {
      try {
        return maker.make(next());
      } catch (NoSuchFileException e) {
        if (i == TRIES) {
          throw e;
        }
      }
    }
  }

  /** Makes something of a path. */
  interface Maker<T> {
    T make(Path path) throws IOException;
  }

  /** Removes the file's directory, if no journal is left in it. */
  void leave() throws IOException {
    try {
      Files.deleteIfExists(own);
    } catch (DirectoryNotEmptyException e) {
      // of another patch
    }
  }

  /** Removes what is told of patches of a file that is no more. */
  void clear() throws IOException {
    if (isThere()) {
      for (Path journal : journals()) {
        Files.deleteIfExists(journal);
      }
      leave();
    }
  }
}
