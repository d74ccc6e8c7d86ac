package dev.shardkit.store.file;

import dev.shardkit.spi.codec.Edit;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;

/**
 * A journal held open. While it is, its file is locked: so a journal that can be locked is one that a dead process has
 * left. Used by one thread.
 */
final class OpenJournal implements AutoCloseable {
  private static final Set<OpenOption> NEW =
      Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
  private static final Set<OpenOption> OLD =
      Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

  private static final int TRIES = 100;

  private final PatchPlace place;
  private final Path path;
  private FileChannel channel;

  private OpenJournal(PatchPlace place, Path path, FileChannel channel) {
    this.place = place;
    this.path = path;
    this.channel = channel;
  }

  /** A new journal. */
  static OpenJournal begin(PatchPlace place, Journal.Head head) throws IOException {
    OpenJournal journal = make(place);
    try {
      Channels.write(journal.channel, head.bytes());
      return journal;
    } catch (IOException | RuntimeException | Error e) {
      journal.abandon(e);
      throw e;
    }
  }

  /** Between its making and its lock another may look whether it is a dead process's: then there is another. */
  private static OpenJournal make(PatchPlace place) throws IOException {
    for (int i = 0; i < TRIES; i++) {
      Optional<OpenJournal> journal = place.make(path -> {
        Optional<OpenJournal> made = open(place, path, NEW);
        if (made.isEmpty()) {
          Files.deleteIfExists(path);
        }
        return made;
      });
      if (journal.isPresent()) {
        return journal.get();
      }
    }
    throw new IOException("a new journal is locked by others again and again: " + place.own());
  }

  /** A journal that a dead process has left; empty if a living one is at work, or it has just gone. */
  static Optional<OpenJournal> take(PatchPlace place, Path path) throws IOException {
    try {
      return open(place, path, OLD);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private static Optional<OpenJournal> open(PatchPlace place, Path path, Set<OpenOption> how) throws IOException {
    // Closing another channel to a journal would drop its lock, so nobody may open it to see whether it is locked.
    if (!LockRegistry.claim(path)) {
      return Optional.empty();
    }
    Optional<FileChannel> locked = Optional.empty();
    try {
      FileChannel channel = FileChannel.open(path, how);
      try {
        // One that was at work removes its journal before it lets go.
        locked = isLocked(channel) && Files.exists(path) ? Optional.of(channel) : Optional.empty();
      } finally {
        if (locked.isEmpty()) {
          channel.close();
        }
      }
      return locked.map(c -> new OpenJournal(place, path, c));
    } finally {
      if (locked.isEmpty()) {
        LockRegistry.release(path);
      }
    }
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock(); // goes with the channel
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false; // another copy of this class, from another class loader
    } catch (UnsupportedOperationException e) {
      return true; // no locks among processes, so no other process
    }
  }

  /** What the journal says; empty if it is incomplete or wrong. The JDK closes channels of interrupted threads. */
  Optional<Journal> read() throws IOException {
    if (!channel.isOpen()) {
      channel = FileChannel.open(path, OLD);
    }
    return Journal.read(channel);
  }

  /** The journal's channel. */
  FileChannel channel() {
    return channel;
  }

  /** Adds what is going to be overwritten. */
  void redo(Iterable<Edit.Write> writes) throws IOException {
    Journal.writeRedo(channel, writes);
  }

  /** Makes sure that it is found after a power failure. */
  void force() throws IOException {
    channel.force(true);
    Directories.force(place.own(), 3);
  }

  /** The patch is done, or undone: nothing is told of it any more. The directory stays. */
  void end(Forcing forcing) throws IOException {
    try {
      Files.deleteIfExists(path);
    } finally {
      close();
    }
    if (forcing == Forcing.YES && !Directories.force(place.own(), 0)) {
      Directories.force(place.patches(), 0); // somebody has removed it, since it is empty
    }
  }

  /** Whether the end must survive a power failure: a journal that comes back would change what came later. */
  enum Forcing { YES, NO }

  private void abandon(Throwable failure) {
    try {
      try {
        end(Forcing.NO);
      } finally {
        close(); // also if it cannot be removed
      }
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      LockRegistry.release(path);
    }
  }
}
