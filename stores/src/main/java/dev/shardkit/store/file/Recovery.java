package dev.shardkit.store.file;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.BlockingStore.Recovered;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Ends patches that were cut short, by their journals. */
final class Recovery {
  private static final Set<StandardOpenOption> CHANGE =
      Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);

  private Recovery() {}

  /** Why a patch did not come to its end. */
  enum Cause {
    /** Its process died: perhaps when all was written. */
    CRASH,
    /** It failed, and has told its caller so. */
    FAILURE
  }

  /** What tells a file from those that had its name before; empty where the file system has nothing such. */
  static String identity(BasicFileAttributes file) {
    return Optional.ofNullable(file.fileKey()).map(Object::toString).orElse("");
  }

  /** Ends all patches of the file that were cut short. */
  static Recovered all(PatchPlace place, String name) throws IOException {
    Recovered found = Recovered.NOTHING;
    List<Path> journals = place.journals();
    for (Path path : journals) {
      Optional<OpenJournal> journal = OpenJournal.take(place, path);
      if (journal.isPresent()) {
        try (OpenJournal open = journal.get()) {
          Recovered now = settle(open, place, Cause.CRASH);
          found = now.compareTo(found) > 0 ? now : found;
        }
      } else if (Files.exists(path)) {
        throw new StoreException(name + " is being changed by somebody who takes no locks, as its owner");
      }
    }
    if (!journals.isEmpty()) {
      place.leave();
    }
    return found;
  }

  /** Whether a patch of the file was cut short, and not ended. */
  static boolean isDue(PatchPlace place) throws IOException {
    return take(place).isPresent();
  }

  private static Optional<Path> take(PatchPlace place) throws IOException {
    for (Path path : place.journals()) {
      Optional<OpenJournal> journal = OpenJournal.take(place, path);
      if (journal.isPresent()) {
        try (OpenJournal open = journal.get()) {
          if (open.read().isPresent()) {
            return Optional.of(path);
          } // else just being made, or nothing was touched
        }
      }
    }
    return Optional.empty();
  }

  /** Removes the journals that dead processes have left. */
  static void forget(PatchPlace place) throws IOException {
    if (place.isThere()) {
      for (Optional<Path> dead = take(place); dead.isPresent(); dead = take(place)) {
        Files.deleteIfExists(dead.get());
      }
      place.leave();
    }
  }

  /** Ends one patch, and its journal with it, unless only an index can tell where the file ends. */
  static Recovered settle(OpenJournal journal, PatchPlace place, Cause cause) throws IOException {
    Optional<Journal> read = journal.read();
    Optional<BasicFileAttributes> file = file(place.file());
    boolean touched = read.isPresent() && file.isPresent() && isOf(read.get().head(), file.get(), place);
    Recovered found = touched ? settle(journal, read.orElseThrow(), place.file(), cause) : Recovered.NOTHING;
    if (found != Recovered.CUT_SHORT) {
      journal.end(OpenJournal.Forcing.YES);
      place.leave();
    }
    return found;
  }

  private static Optional<BasicFileAttributes> file(Path file) throws IOException {
    try {
      return Optional.of(Files.readAttributes(file, BasicFileAttributes.class));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** Whether a journal speaks of this file: not of one that it has replaced, nor of more than there is. */
  private static boolean isOf(Journal.Head head, BasicFileAttributes file, PatchPlace place) {
    return file.isRegularFile() && head.identity().equals(identity(file))
        && head.name().equals(place.file().getFileName().toString()) && head.oldSize() <= file.size();
  }

  private static Recovered settle(OpenJournal open, Journal journal, Path path, Cause cause) throws IOException {
    Journal.Head head = journal.head();
    try (FileChannel file = FileChannel.open(path, CHANGE)) {
      long size = file.size();
      boolean redo = journal.redo().isPresent() && size >= head.newSize();
      if (!redo && head.kind() == Journal.Kind.LAST_INDEX && cause == Cause.CRASH) {
        return size > head.oldSize() ? Recovered.CUT_SHORT : Recovered.NOTHING;
      }
      if (redo) {
        journal.each(open.channel(), w -> {
          file.position(w.offset());
          Channels.copy(open.channel(), w.at(), w.length(), file);
        });
      }
      boolean undo = !redo && size > head.oldSize() && head.kind() != Journal.Kind.NOT;
      if (redo || undo) {
        file.truncate(redo ? head.newSize() : head.oldSize());
        file.force(false);
      }
      FileTimes.stamp(path, Files.getLastModifiedTime(path));
      return redo || undo ? Recovered.FROM_JOURNAL : Recovered.NOTHING;
    }
  }
}
