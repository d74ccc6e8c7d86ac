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

/** Completes or rolls back interrupted patches of files by their journals ({@link JournalFormat}). */
public final class Recovery {
    private static final Set<OpenOption> CHANGE =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    /** The maximum number of bytes at the end of the appended ones that the checksum in the redo section covers. */
    private static final int TAIL = 4096;

    private Recovery() {}

    /** The reason why a patch did not finish. */
    enum Cause {
        /**
         * The process of the patch died, perhaps after its last write. Other programs may have written the file since.
         */
        CRASH,
        /** The patch failed and reported the failure to its caller. */
        FAILURE
    }

    /** The action for a file and its journal. */
    private enum Action {
        /** Remove the journal only. */
        NOTHING,
        /** Remove the appended bytes. */
        UNDO,
        /** Write the bytes of the redo section. */
        REDO,
        /**
         * Leave the file and its journal as they are. The caller searches the file for the last valid index of the
         * shard, which shows where the content ends.
         */
        CUT,
        /** Keep the journal for inspection, without changing the file: another program has written the file. */
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
                    if (open.read().isPresent()) { // an incomplete journal means that the file was not changed
                        return Optional.of(path);
                    }
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
     * Completes or rolls back one patch and removes its journal. Keeps the journal if only the last valid index can
     * show where the content ends.
     */
    static Recovered settle(OpenJournal journal, JournalDirectory journals, Cause cause) throws IOException {
        Optional<JournalFormat> read = journal.read();
        if (read.isEmpty() && !journal.isOurs()) {
            return Recovered.NOTHING; // a journal that was set aside, or a file of another program
        }
        Optional<BasicFileAttributes> file = file(journals.file());
        boolean mayBeChanged = read.isPresent()
                && file.isPresent()
                && file.get().isRegularFile()
                && read.get().head().name().equals(journals.file().getFileName().toString());
        Action action =
                mayBeChanged ? settle(journal, read.orElseThrow(), journals.file(), file.get(), cause) : Action.NOTHING;
        switch (action) {
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
                return action == Action.NOTHING ? Recovered.NOTHING : Recovered.FROM_JOURNAL;
            }
        }
    }

    /** Returns the attributes of a file; empty if it does not exist. */
    private static Optional<BasicFileAttributes> file(Path file) throws IOException {
        try {
            return Optional.of(ReservedFiles.attributes(file));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private static Action settle(
            OpenJournal open, JournalFormat journal, Path path, BasicFileAttributes attributes, Cause cause)
            throws IOException {
        JournalFormat.Head head = journal.head();
        try (FileChannel file = FileChannel.open(path, CHANGE)) {
            boolean sameIdentity = head.identity().equals(identity(attributes));
            Action action;
            if (cause == Cause.CRASH) {
                action = decideByContent(open.channel(), journal, file, sameIdentity);
            } else if (open.isOverwriting()) {
                action = decideForKnown(journal, file.size(), cause);
            } else {
                action = decideBeforeOverwriting(head, file.size());
            }
            if (action == Action.REDO) {
                journal.redo().orElseThrow().each(open.channel(), write -> {
                    file.position(write.offset());
                    Channels.copy(open.channel(), write.bytesOffset(), write.length(), file);
                });
            }
            if (action == Action.REDO || action == Action.UNDO) {
                file.truncate(action == Action.REDO ? head.newSize() : head.oldSize());
                file.force(false);
            }
            if (action != Action.SET_ASIDE && action != Action.CUT) {
                FileTimes.stamp(path, Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS));
            }
            return action;
        }
    }

    /** Decides for a file that no other program has written since the patch. */
    private static Action decideForKnown(JournalFormat journal, long size, Cause cause) {
        JournalFormat.Head head = journal.head();
        if (journal.redo().isPresent() && size >= head.newSize()) {
            return Action.REDO;
        } else if (size <= head.oldSize() || head.kind() == JournalFormat.Kind.NOT) {
            return Action.NOTHING;
        }
        return head.kind() == JournalFormat.Kind.LAST_INDEX && cause == Cause.CRASH ? Action.CUT : Action.UNDO;
    }

    /** Decides for a failed patch that has not overwritten anything. Uses no redo section, which may be incomplete. */
    private static Action decideBeforeOverwriting(JournalFormat.Head head, long size) {
        return size > head.oldSize() ? Action.UNDO : Action.NOTHING;
    }

    /**
     * Decides by the content of a file that other programs may have written since. The identity matters only if the
     * content does not fit the journal: the journal is kept for inspection if the file is still the patched one, and
     * removed if another file has replaced it.
     *
     * @param open the journal's channel
     * @param sameIdentity whether the file has the identity of the patched one
     */
    private static Action decideByContent(
            FileChannel open, JournalFormat journal, FileChannel file, boolean sameIdentity) throws IOException {
        JournalFormat.Head head = journal.head();
        long size = file.size();
        Action ifNotFitting = sameIdentity ? Action.SET_ASIDE : Action.NOTHING;
        if (head.kind() == JournalFormat.Kind.NOT) {
            return Action.NOTHING; // the journal has no copy of the overwritten bytes
        }
        // The file may be longer than after the patch. The removal of an append's journal is not forced, so after a
        // power failure it may reappear beside later appends. And a patch may first truncate the file.
        boolean mayBeLonger = head.kind() == JournalFormat.Kind.LAST_INDEX
                || journal.before().filter(before -> before.size() == size).isPresent();
        boolean sizeFits = size >= head.oldSize() && (size <= head.newSize() || mayBeLonger);
        if (!sizeFits || journal.before().isEmpty()) {
            return sizeFits && sameIdentity
                    ? decideForKnown(journal, size, Cause.CRASH)
                    : ifNotFitting; // a journal of the old format has only the identity, no checksums
        }
        BeforeImageChecksums.Match match = journal.before().get().match(file, open, journal);
        if (match == BeforeImageChecksums.Match.NOT) {
            return ifNotFitting;
        } else if (journal.redo().isPresent()
                && size == head.newSize()
                && journal.redo().get().tail().equals(Optional.of(tail(file, head.oldSize(), size)))) {
            return Action.REDO;
        } else if (match == BeforeImageChecksums.Match.PARTLY_NEW) {
            return ifNotFitting; // bytes that the system had accepted are lost, so the file cannot be repaired
        }
        if (size <= head.oldSize()) {
            return Action.NOTHING;
        }
        return head.kind() == JournalFormat.Kind.LAST_INDEX ? Action.CUT : Action.UNDO;
    }

    /**
     * Returns whether no journal applies to the file any more, because another program has written the file since.
     * Readers can then ignore the journals.
     */
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
                    == Action.SET_ASIDE;
        }
    }

    /** Returns the checksum of the last bytes of a file that were appended after {@code oldSize}. */
    public static int tail(FileChannel file, long oldSize, long size) throws IOException {
        ByteBuffer end = ByteBuffer.allocate((int) Math.min(TAIL, size - oldSize));
        return Channels.read(file, size - end.capacity(), end) ? BeforeImageChecksums.crc(end.flip()) : 0;
    }
}
