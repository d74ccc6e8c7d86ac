package dev.shardkit.store.file.patch;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Patches.Recovered;
import dev.shardkit.store.file.disk.Channels;
import dev.shardkit.store.file.disk.FileTimes;
import dev.shardkit.store.file.disk.ReservedFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Completes or rolls back interrupted patches by their journals. */
public final class Recovery {
    private static final Set<OpenOption> CHANGE =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    /** The number of bytes at the end of the appended bytes that a journal's checksum covers. */
    private static final int TAIL = 4096;

    private Recovery() {}

    /** Why a patch did not finish. */
    enum Cause {
        /** The process of the patch died, perhaps after the last write. Others may have written the file since. */
        CRASH,
        /** The patch failed and reported the failure to its caller. */
        FAILURE
    }

    /** The action for a file and its journal. */
    private enum Deed {
        /** Remove the journal only. */
        NOTHING,
        /** Remove the appended bytes. */
        UNDO,
        /** Write the overwritten bytes again. */
        REDO,
        /** Find the end of the file by the last valid index. */
        CUT,
        /** Keep the journal without acting on it: the file was written by another program. */
        SET_ASIDE
    }

    /**
     * Returns the identity that distinguishes a file from earlier files of its name; empty if the file system has no
     * identities.
     */
    public static String identity(BasicFileAttributes file) {
        return Optional.ofNullable(file.fileKey()).map(Object::toString).orElse("");
    }

    /** Completes or rolls back all interrupted patches of the file. */
    public static Recovered recoverAll(JournalDirectory journals, String name) throws IOException {
        Recovered result = Recovered.NOTHING;
        List<Path> paths = journals.journals();
        for (Path path : paths) {
            Optional<OpenJournal> journal = OpenJournal.openAbandoned(journals, path);
            if (journal.isPresent()) {
                try (OpenJournal journalFile = journal.get()) {
                    Recovered recovered = settle(journalFile, journals, Cause.CRASH);
                    result = recovered.compareTo(result) > 0 ? recovered : result;
                }
            } else if (ReservedFiles.isFile(path)) {
                throw new StoreException(name + " is being changed in place by a writer without locks, its owner");
            }
        }
        if (!paths.isEmpty()) {
            journals.removeIfEmpty();
        }
        return result;
    }

    /** Returns whether a patch of the file was interrupted and has been neither completed nor rolled back. */
    public static boolean isDue(JournalDirectory journals) throws IOException {
        return findInterrupted(journals).isPresent();
    }

    private static Optional<Path> findInterrupted(JournalDirectory journals) throws IOException {
        for (Path path : journals.journals()) {
            Optional<OpenJournal> journal = OpenJournal.openAbandoned(journals, path);
            if (journal.isPresent()) {
                try (OpenJournal open = journal.get()) {
                    if (open.read().isPresent()) {
                        return Optional.of(path);
                    } // otherwise the journal is incomplete: nothing was touched
                }
            }
        }
        return Optional.empty();
    }

    /** Removes the journals of dead processes. */
    static void removeAbandoned(JournalDirectory journals) throws IOException {
        if (journals.exists()) {
            for (Optional<Path> abandoned = findInterrupted(journals);
                    abandoned.isPresent();
                    abandoned = findInterrupted(journals)) {
                Files.deleteIfExists(abandoned.get());
            }
            journals.removeIfEmpty();
        }
    }

    /**
     * Completes or rolls back one patch and removes its journal. Keeps the journal if only an index can show the end of
     * the file.
     */
    static Recovered settle(OpenJournal journal, JournalDirectory journals, Cause cause) throws IOException {
        Optional<JournalFormat> read = journal.read();
        if (read.isEmpty() && !journal.isOurs()) {
            return Recovered.NOTHING; // set aside, or a foreign file
        }
        Optional<BasicFileAttributes> file = file(journals.file());
        boolean wasTouched = read.isPresent()
                && file.isPresent()
                && file.get().isRegularFile()
                && read.get().head().name().equals(journals.file().getFileName().toString());
        Deed deed = wasTouched ? settle(journal, read.orElseThrow(), journals.file(), file.get(), cause) : Deed.NOTHING;
        switch (deed) {
            case CUT -> {
                return Recovered.CUT_SHORT;
            }
            case SET_ASIDE -> {
                journal.setAside();
                return Recovered.NOTHING;
            }
            default -> {
                journal.end(OpenJournal.Forcing.YES);
                journals.removeIfEmpty();
                return deed == Deed.NOTHING ? Recovered.NOTHING : Recovered.FROM_JOURNAL;
            }
        }
    }

    private static Optional<BasicFileAttributes> file(Path file) throws IOException {
        try {
            return Optional.of(ReservedFiles.attributes(file));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private static Deed settle(
            OpenJournal open, JournalFormat journal, Path path, BasicFileAttributes attributes, Cause cause)
            throws IOException {
        JournalFormat.Head head = journal.head();
        try (FileChannel file = FileChannel.open(path, CHANGE)) {
            boolean sameIdentity = head.identity().equals(identity(attributes));
            Deed deed = cause == Cause.CRASH
                    ? decideByContent(open.channel(), journal, file, sameIdentity)
                    : open.isOverwriting()
                            ? decideForKnown(journal, file.size(), cause)
                            : decideBeforeOverwriting(head, file.size());
            if (deed == Deed.REDO) {
                journal.redo().orElseThrow().each(open.channel(), w -> {
                    file.position(w.offset());
                    Channels.copy(open.channel(), w.bytesOffset(), w.length(), file);
                });
            }
            if (deed == Deed.REDO || deed == Deed.UNDO) {
                file.truncate(deed == Deed.REDO ? head.newSize() : head.oldSize());
                file.force(false);
            }
            if (deed != Deed.SET_ASIDE && deed != Deed.CUT) {
                FileTimes.stamp(path, Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS));
            }
            return deed;
        }
    }

    /** Decides for a file that is known to be as the patch left it. */
    private static Deed decideForKnown(JournalFormat journal, long size, Cause cause) {
        JournalFormat.Head head = journal.head();
        if (journal.redo().isPresent() && size >= head.newSize()) {
            return Deed.REDO;
        } else if (size <= head.oldSize() || head.kind() == JournalFormat.Kind.NOT) {
            return Deed.NOTHING;
        }
        return head.kind() == JournalFormat.Kind.LAST_INDEX && cause == Cause.CRASH ? Deed.CUT : Deed.UNDO;
    }

    /** Decides for a patch that has not overwritten anything: the journal may not be on the device. */
    private static Deed decideBeforeOverwriting(JournalFormat.Head head, long size) {
        return size > head.oldSize() ? Deed.UNDO : Deed.NOTHING;
    }

    /**
     * Decides for a file that others may have written since, by its content. The identity only shows whether an
     * obsolete journal belongs to a replaced file.
     *
     * @param sameIdentity whether the file has its old identity
     */
    private static Deed decideByContent(FileChannel open, JournalFormat journal, FileChannel file, boolean sameIdentity)
            throws IOException {
        JournalFormat.Head head = journal.head();
        long size = file.size();
        Deed foreign = sameIdentity ? Deed.SET_ASIDE : Deed.NOTHING;
        if (head.kind() == JournalFormat.Kind.NOT) {
            return Deed.NOTHING; // the journal has no copy of the overwritten bytes
        }
        // The removal of an append's journal is not forced: after a power failure it may reappear beside later
        // appends.
        boolean mayBeLonger = head.kind() == JournalFormat.Kind.LAST_INDEX
                || journal.before().filter(b -> b.size() == size).isPresent();
        boolean sizeFits = size >= head.oldSize() && (size <= head.newSize() || mayBeLonger);
        if (!sizeFits || journal.before().isEmpty()) {
            return sizeFits && sameIdentity
                    ? decideForKnown(journal, size, Cause.CRASH)
                    : foreign; // an old journal has only the identity
        }
        BeforeImageChecksums.Match match = journal.before().get().match(file, open, journal);
        if (match == BeforeImageChecksums.Match.NOT) {
            return foreign;
        } else if (journal.redo().isPresent()
                && size == head.newSize()
                && journal.redo().get().tail().equals(Optional.of(tail(file, head.oldSize(), size)))) {
            return Deed.REDO;
        } else if (match == BeforeImageChecksums.Match.PARTLY_NEW) {
            return foreign; // bytes that the system had accepted are lost: the file is torn
        }
        return size <= head.oldSize()
                ? Deed.NOTHING
                : head.kind() == JournalFormat.Kind.LAST_INDEX ? Deed.CUT : Deed.UNDO;
    }

    /** Returns whether another program has written the file since, so that readers can ignore its journals. */
    public static boolean isOfOthers(JournalDirectory journals) throws IOException {
        for (Path path : journals.journals()) {
            if (!OpenJournal.holds(path, channel -> isOfOthers(channel, journals.file()))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isOfOthers(FileChannel open, Path path) throws IOException {
        Optional<JournalFormat> journal = JournalFormat.read(open);
        if (journal.isEmpty()) {
            return true;
        }
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            return decideByContent(
                            open,
                            journal.get(),
                            file,
                            journal.get().head().identity().equals(identity(ReservedFiles.attributes(path))))
                    == Deed.SET_ASIDE;
        }
    }

    /** Returns the checksum of the end of the bytes appended after {@code oldSize}. */
    public static int tail(FileChannel file, long oldSize, long size) throws IOException {
        ByteBuffer end = ByteBuffer.allocate((int) Math.min(TAIL, size - oldSize));
        return Channels.read(file, size - end.capacity(), end) ? BeforeImageChecksums.crc(end.flip()) : 0;
    }
}
