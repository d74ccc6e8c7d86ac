package dev.shardkit.store.file;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.store.Leftover;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

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
    private boolean overwriting;

    private OpenJournal(PatchPlace place, Path path, FileChannel channel) {
        this.place = place;
        this.path = path;
        this.channel = channel;
    }

    /** A new journal, of a file that was what {@code before} says, see {@link Before}. */
    static OpenJournal begin(PatchPlace place, Journal.Head head, ByteBuffer before) throws IOException {
        Optional<Access> access = Access.of(place.file());
        OpenJournal journal = make(place, access.stream().map(Access::toMake).toArray(FileAttribute<?>[]::new));
        try {
            if (access.isPresent()) {
                access.get().give(journal.path); // it holds bytes of the file, and whoever changes the file may have to
                // end it
            }
            ByteBuffer start = head.bytes();
            Channels.write(
                    journal.channel,
                    ByteBuffer.allocate(start.remaining() + before.remaining())
                            .put(start)
                            .put(before)
                            .flip());
            return journal;
        } catch (IOException | RuntimeException | Error e) {
            journal.abandon(e);
            throw e;
        }
    }

    /** Between its making and its lock another may look whether it is a dead process's: then there is another. */
    private static OpenJournal make(PatchPlace place, FileAttribute<?>[] attributes) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            Optional<OpenJournal> journal = place.make(path -> {
                Optional<OpenJournal> made = open(place, path, NEW, attributes);
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

    /**
     * Whether a file among the journals says that a patch is under way, or was cut short. One that does not get that
     * far, since its patch has not yet touched the file or never will, does not: who opened the file before asking is
     * told by its time if the patch goes on.
     */
    static boolean isUnderWay(Path path) throws IOException {
        return peek(path, Journal::isBegun, Otherwise.YES);
    }

    /** Whether a file among the journals is one, or was to become one, and was not set aside. */
    static boolean isOurs(Path path) throws IOException {
        return peek(path, channel -> isOurs(path, channel), Otherwise.YES);
    }

    private static boolean isOurs(Path path, FileChannel channel) throws IOException {
        return Journal.mark(channel) == Journal.Mark.OURS && (Journal.isMarked(channel) || isName(path));
    }

    /** What a file among the journals is to people; empty if a living process is at work with it, or just gone. */
    static Optional<Leftover.Kind> leftover(PatchPlace place, Path path) throws IOException {
        Optional<OpenJournal> journal = take(place, path);
        if (journal.isEmpty()) {
            return Optional.empty();
        }
        try (OpenJournal open = journal.get()) {
            if (open.read().isPresent()) {
                return Optional.of(Leftover.Kind.JOURNAL);
            } else if (open.isOurs()) {
                return Optional.of(Leftover.Kind.UNBEGUN_JOURNAL);
            }
            return Optional.of(
                    Journal.mark(open.channel) == Journal.Mark.SET_ASIDE
                            ? Leftover.Kind.JOURNAL_SET_ASIDE
                            : Leftover.Kind.FOREIGN);
        }
    }

    /** What is told by a look into a journal. */
    interface Look {
        boolean at(FileChannel channel) throws IOException;
    }

    /** The answer about a journal that this process has open. */
    private enum Otherwise {
        YES,
        NO
    }

    /** Whether {@code look} says so of a journal; not if this process has it open. */
    static boolean isOf(Path path, Look look) throws IOException {
        return peek(path, look, Otherwise.NO);
    }

    /** Looks into a journal, unless this process has it open. */
    private static boolean peek(Path path, Look look, Otherwise otherwise) throws IOException {
        boolean[] found = {otherwise == Otherwise.YES};
        LockRegistry.whileUnclaimed(path, () -> {
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
                found[0] = look.at(channel);
            } catch (NoSuchFileException e) {
                found[0] = false;
            }
        });
        return found[0];
    }

    private static Optional<OpenJournal> open(
            PatchPlace place, Path path, Set<OpenOption> how, FileAttribute<?>... attributes) throws IOException {
        // Closing another channel to a journal would drop its lock, so nobody may open it to see whether it is locked.
        if (!LockRegistry.claim(path)) {
            return Optional.empty();
        }
        Optional<FileChannel> locked = Optional.empty();
        try {
            FileChannel channel = FileChannel.open(path, how, attributes);
            try {
                // One that was at work removes its journal before it lets go.
                locked = isLocked(channel) && Reserved.isFile(path) ? Optional.of(channel) : Optional.empty();
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
        reopen();
        return Journal.read(channel);
    }

    private void reopen() throws IOException {
        if (!channel.isOpen()) {
            channel = FileChannel.open(path, OLD);
        }
    }

    /** Whether this is a journal, or was to become one, and was not set aside. */
    boolean isOurs() throws IOException {
        reopen();
        return isOurs(path, channel);
    }

    /** Keeps the journal, but for nobody to act by. */
    void setAside() throws IOException {
        Journal.setAside(channel);
        System.getLogger("dev.shardkit.store.file")
                .log(
                        System.Logger.Level.WARNING,
                        "the journal {0} of a change in place was set aside: its file is neither what it was before the change nor "
                                + "what it becomes, so another program has written it",
                        path);
    }

    /** The journal's channel. */
    FileChannel channel() {
        return channel;
    }

    /**
     * Adds what is going to be overwritten.
     *
     * @param tail the checksum of the end of what was appended
     */
    void redo(Iterable<Edit.Write> writes, int tail) throws IOException {
        Journal.writeRedo(channel, writes, tail);
    }

    /** From now on the file is overwritten. */
    void beginOverwriting() {
        overwriting = true;
    }

    /** Whether the file was overwritten, at least in part, by who began this journal. */
    boolean isOverwriting() {
        return overwriting;
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
        if (forcing == Forcing.YES) {
            try {
                Directories.force(place.own(), 0);
            } catch (NoSuchFileException e) {
                Directories.force(place.patches(), 0); // somebody has removed it, since it is empty
            }
        }
    }

    /** Whether the end must survive a power failure: a journal that comes back would change what came later. */
    enum Forcing {
        YES,
        NO
    }

    /** Whether a file has a name that this class gives. */
    static boolean isName(Path path) {
        String name = path.getFileName().toString();
        try {
            return UUID.fromString(name).toString().equals(name);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

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
