package dev.shardkit.store.file.patch;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.store.Leftover;
import dev.shardkit.store.file.disk.Channels;
import dev.shardkit.store.file.disk.DirectorySync;
import dev.shardkit.store.file.disk.FileAccessRights;
import dev.shardkit.store.file.disk.ReservedFiles;
import dev.shardkit.store.file.lock.LockRegistry;
import dev.shardkit.store.filesystem.OpenFileReplacement;
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
 * An open journal of a patch. Its file is locked while it is open, so a journal that can be locked belongs to a dead
 * process. Used by one thread.
 */
public final class OpenJournal implements AutoCloseable {
    private static final Set<OpenOption> NEW =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    private static final Set<OpenOption> OLD =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

    /** How often a journal is created if another process locks it first. */
    private static final int TRIES = 100;
    /**
     * The locked byte. It lies far beyond the content, because on Windows other processes cannot read a locked byte.
     */
    private static final long LOCKED_BYTE = 1L << 61;

    private final JournalDirectory directory;
    private final Path path;
    private FileChannel channel;
    /** The end of the head and the checksums, where the redo section begins. */
    private long end;

    /** Whether this patch has begun to overwrite bytes of its file. */
    private boolean overwriting;

    private OpenJournal(JournalDirectory directory, Path path, FileChannel channel) {
        this.directory = directory;
        this.path = path;
        this.channel = channel;
    }

    /**
     * Creates a journal.
     *
     * @param before the section for the file's old content, see {@link BeforeImageChecksums}
     */
    public static OpenJournal begin(JournalDirectory directory, JournalFormat.Head head, ByteBuffer before)
            throws IOException {
        Optional<FileAccessRights> access = FileAccessRights.of(directory.file());
        OpenJournal journal =
                create(directory, access.stream().map(FileAccessRights::toMake).toArray(FileAttribute<?>[]::new));
        try {
            if (access.isPresent()) {
                // The journal contains bytes of the file, so only readers of the file may read it. And every writer of
                // the file may have to recover the patch.
                access.get().applyTo(journal.path);
            }
            ByteBuffer headBytes = head.bytes();
            journal.end = Channels.write(
                    journal.channel,
                    0,
                    ByteBuffer.allocate(headBytes.remaining() + before.remaining())
                            .put(headBytes)
                            .put(before)
                            .flip());
            return journal;
        } catch (IOException | RuntimeException | Error e) {
            journal.discard(e);
            throw e;
        }
    }

    /**
     * Creates and locks a journal. Another process may lock the new file first, to find out whether the journal's
     * writer is dead. Then this method tries another name.
     */
    private static OpenJournal create(JournalDirectory directory, FileAttribute<?>[] attributes) throws IOException {
        for (int attempt = 0; attempt < TRIES; attempt++) {
            Optional<OpenJournal> journal = directory.create(path -> {
                Optional<OpenJournal> opened = open(directory, path, NEW, attributes);
                if (opened.isEmpty()) {
                    Files.deleteIfExists(path);
                }
                return opened;
            });
            if (journal.isPresent()) {
                return journal.get();
            }
        }
        throw new IOException("other processes repeatedly lock a new journal: " + directory.own());
    }

    /**
     * Opens the journal of a dead process for recovery. Returns empty if a live process uses the journal, or if it was
     * just removed.
     */
    static Optional<OpenJournal> openAbandoned(JournalDirectory directory, Path path) throws IOException {
        try {
            return OpenFileReplacement.retrying(path, () -> open(directory, path, OLD));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** Returns the kind of leftover for a report; empty if a live process uses the journal, or it was just removed. */
    public static Optional<Leftover.Kind> leftover(JournalDirectory directory, Path path) throws IOException {
        Optional<OpenJournal> journal = openAbandoned(directory, path);
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
                    JournalFormat.mark(open.channel) == JournalFormat.Mark.SET_ASIDE
                            ? Leftover.Kind.JOURNAL_SET_ASIDE
                            : Leftover.Kind.FOREIGN);
        }
    }

    /** Opens and locks a journal; empty if this or another process has locked it, or if it was just removed. */
    private static Optional<OpenJournal> open(
            JournalDirectory directory, Path path, Set<OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        // Closing a second channel to a journal would drop the lock of this process. So a journal that this process has
        // open must not be opened again, not even to test its lock.
        if (!LockRegistry.claim(path)) {
            return Optional.empty();
        }
        Optional<FileChannel> locked = Optional.empty();
        try {
            FileChannel channel = FileChannel.open(path, options, attributes);
            try {
                // A patch removes its journal before it releases the lock, so the locked file may be removed already.
                locked = tryLock(channel) && ReservedFiles.isFile(path) ? Optional.of(channel) : Optional.empty();
            } finally {
                if (locked.isEmpty()) {
                    channel.close();
                }
            }
            return locked.map(lockedChannel -> new OpenJournal(directory, path, lockedChannel));
        } finally {
            if (locked.isEmpty()) {
                LockRegistry.release(path);
            }
        }
    }

    /** Locks a journal; returns whether it is locked now. */
    private static boolean tryLock(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock(LOCKED_BYTE, 1, false); // closing the channel releases the lock
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false; // a copy of this class from another class loader holds the lock
        } catch (UnsupportedOperationException e) {
            return true; // only this process uses a file system without locks, such as one in memory
        }
    }

    /** Reads the journal; empty if it is incomplete or invalid. */
    Optional<JournalFormat> read() throws IOException {
        reopen();
        return JournalFormat.read(channel);
    }

    /** Opens the journal again if an interrupt of this thread has closed its channel. */
    private void reopen() throws IOException {
        if (!channel.isOpen()) {
            channel = FileChannel.open(path, OLD);
        }
    }

    /** Returns whether this is a journal, complete or not, that was not set aside. */
    boolean isOurs() throws IOException {
        reopen();
        return isOurs(path, channel);
    }

    /** Marks the journal so that no recovery acts on it any more, but keeps the file for inspection. */
    void setAside() throws IOException {
        JournalFormat.setAside(channel);
        System.getLogger("dev.shardkit.store.file")
                .log(
                        System.Logger.Level.WARNING,
                        "the journal {0} of a change in place was set aside: its file matches neither the old nor "
                                + "the new content, so another program has written it",
                        path);
    }

    /** Returns the journal's channel. */
    FileChannel channel() {
        return channel;
    }

    /**
     * Adds the redo section: the new bytes of the ranges to be overwritten.
     *
     * @param tail the checksum of the end of the appended bytes
     */
    void redo(Iterable<Edit.Write> writes, int tail) throws IOException {
        RedoSection.write(channel, end, writes, tail);
    }

    /** Records that overwriting begins. */
    void beginOverwriting() {
        overwriting = true;
    }

    /** Returns whether the writer of this journal has overwritten the file, at least partly. */
    boolean isOverwriting() {
        return overwriting;
    }

    /** Forces the journal and its directory entries, so that recovery finds it after a power failure. */
    void force() throws IOException {
        channel.force(true);
        DirectorySync.force(directory.own(), 3); // and the three directories above it, up to that of the file
    }

    /** Removes the journal of a patch that was completed or undone. The directory stays. */
    public void end(Forcing forcing) throws IOException {
        try {
            if (OpenFileReplacement.hinder(path)) {
                empty();
            }
            Files.deleteIfExists(path);
        } finally {
            close();
        }
        if (forcing == Forcing.YES) {
            try {
                DirectorySync.force(directory.own(), 0);
            } catch (NoSuchFileException e) {
                // Another process has removed the empty directory, so this removal must be forced.
                DirectorySync.force(directory.patches(), 0);
            }
        }
    }

    /**
     * Empties the journal before its removal. While another process reads it, a deleted file may stay on Windows, and
     * must not look like the journal of an interrupted patch.
     */
    private void empty() {
        try {
            channel.truncate(0);
        } catch (IOException e) {
            // The thread was interrupted. The journal then stays until its readers close it.
        }
    }

    /** Says whether a removal must survive a power failure: a journal that reappears would undo later changes. */
    public enum Forcing {
        YES,
        NO
    }

    private void discard(Throwable failure) {
        try {
            try {
                end(Forcing.NO);
            } finally {
                close(); // even if the file cannot be removed
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

    /**
     * Returns whether a journal shows a running or interrupted patch. An incomplete journal shows none: its patch has
     * not changed the file yet, and may never do so. If that patch proceeds later, a reader that has opened the file by
     * then notices that the file's time changes.
     */
    static boolean isUnderWay(Path path) throws IOException {
        return testUnlessOpen(path, JournalFormat::isBegun, ResultIfOpen.YES);
    }

    /** Returns whether a file is a journal, complete or not, that was not set aside. */
    static boolean isOurs(Path path) throws IOException {
        return testUnlessOpen(path, channel -> isOurs(path, channel), ResultIfOpen.YES);
    }

    /** Returns whether an open journal, complete or not, was not set aside. */
    static boolean isOurs(Path path, FileChannel channel) throws IOException {
        return JournalFormat.mark(channel) == JournalFormat.Mark.OURS
                && (JournalFormat.isMarked(channel) || isName(path));
    }

    /** A test of a journal's content. */
    interface Look {
        boolean test(FileChannel channel) throws IOException;
    }

    /** The result of a test for a journal that this process has open. */
    private enum ResultIfOpen {
        YES,
        NO
    }

    /** Returns the result of {@code question} for a journal; false if this process has the journal open. */
    static boolean holds(Path path, Look question) throws IOException {
        return testUnlessOpen(path, question, ResultIfOpen.NO);
    }

    /** Opens and tests a journal, unless this process has it open. Returns false if it does not exist. */
    private static boolean testUnlessOpen(Path path, Look question, ResultIfOpen ifOpen) throws IOException {
        // whileUnclaimed runs the test only if this process does not have the journal open.
        boolean[] result = {ifOpen == ResultIfOpen.YES};
        return OpenFileReplacement.retrying(path, () -> {
            LockRegistry.whileUnclaimed(path, () -> {
                try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
                    result[0] = question.test(channel);
                } catch (NoSuchFileException e) {
                    result[0] = false;
                }
            });
            return result[0];
        });
    }

    /** Returns whether a file has the name of a journal: a UUID. */
    static boolean isName(Path path) {
        String name = path.getFileName().toString();
        try {
            return UUID.fromString(name).toString().equals(name);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
