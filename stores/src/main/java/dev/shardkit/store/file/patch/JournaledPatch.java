package dev.shardkit.store.file.patch;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.file.disk.FileTimes;
import dev.shardkit.store.file.disk.ReservedFiles;
import dev.shardkit.store.file.open.FileSnapshot;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Set;

/**
 * One change of one file in place, with a journal. {@link #run} makes the change in these steps:
 *
 * <ol>
 *   <li>a journal records the file's size and checksums of its content ({@link BeforeImageChecksums}); readers do not
 *       open the file while the journal exists;
 *   <li>the file's time is changed, so that readers that have the file open notice ({@link FileSnapshot#confirm});
 *   <li>the new bytes are appended;
 *   <li>the bytes to be overwritten are added to the journal and then written to the file;
 *   <li>the file's time is changed again, and the journal removed.
 * </ol>
 *
 * <p>With {@link Durability#FORCED}, each step is on the device before the next one begins. The journal of an append is
 * not forced if the file's last index shows where the append ends. With {@link Durability#ATOMIC}, a killed process
 * loses nothing either, since the system has all bytes. With {@link Durability#NONE}, the journal has no copy of the
 * bytes to be overwritten, so a killed process may leave a mixture of old and new bytes. A failed patch is undone or
 * completed at once; if that fails too, {@link Recovery} does it later.
 *
 * @param name the file, for messages
 * @param journals the directory for the file's journals
 * @param earlier whether earlier patches of the file may be interrupted
 */
public record JournaledPatch(
        String name, JournalDirectory journals, Edit.Patch edit, Durability durability, Earlier earlier) {
    private static final Set<OpenOption> CHANGE =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

    /** Says whether earlier patches of the file may have been interrupted. */
    public enum Earlier {
        /** Nothing is known, so this patch looks for their journals. */
        UNKNOWN,
        /** The holder of the file's lock has already looked for journals, and there are none. */
        SETTLED
    }

    /** Makes the change. */
    public void run() throws IOException {
        BasicFileAttributes before = attributesBefore();
        OpenJournal.Forcing forcing =
                isForced() && kind() == JournalFormat.Kind.UNDO ? OpenJournal.Forcing.YES : OpenJournal.Forcing.NO;
        refuseAfterInterrupted();
        JournalFormat.Head head = new JournalFormat.Head(
                kind(),
                edit.oldSize(),
                edit.size(),
                Recovery.identity(before),
                file().getFileName().toString());
        try (OpenJournal journal = OpenJournal.begin(journals, head, contentBefore())) {
            FileTime stamp = stamp(journal, before.lastModifiedTime());
            try {
                if (forcing == OpenJournal.Forcing.YES && !edit.appended().isEmpty()) {
                    journal.force();
                }
                change(journal);
                // Readers do not open the file while its journal exists, so no reader knows this time yet.
                FileTimes.set(file(), FileTimes.uniqueAfter(stamp));
            } catch (IOException | RuntimeException | Error e) {
                undoOrComplete(journal, e);
                throw e;
            }
            journal.end(forcing);
        }
        if (isTruncation()) {
            Recovery.removeAbandoned(journals);
        }
    }

    private Path file() {
        return journals.file();
    }

    private BasicFileAttributes attributesBefore() throws IOException {
        PatchWriter.check(edit, name);
        try {
            BasicFileAttributes attributes = ReservedFiles.attributes(file());
            if (!attributes.isRegularFile()) {
                throw new StoreException("changing " + name + ": expected a file, found something else");
            } else if (attributes.size() < edit.oldSize()) {
                throw new ObjectChangedException("changing " + name + ": expected at least " + edit.oldSize()
                        + " bytes, found " + attributes.size());
            }
            return attributes;
        } catch (NoSuchFileException e) {
            throw new ObjectChangedException(
                    "changing " + name + ": expected " + edit.oldSize() + " bytes, found no file");
        }
    }

    /** Returns the journal section for the content before the patch. */
    private ByteBuffer contentBefore() throws IOException {
        try (FileChannel in = FileChannel.open(file(), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            return BeforeImageChecksums.bytes(in, edit);
        }
    }

    private boolean isForced() {
        return durability == Durability.FORCED;
    }

    /** Returns whether this patch only truncates the file, to roll back an interrupted append. */
    private boolean isTruncation() {
        return edit.appended().isEmpty() && edit.overwritten().isEmpty();
    }

    /** Returns how this patch can be undone. */
    private JournalFormat.Kind kind() {
        if (edit.overwritten().isEmpty() && edit.recovery() == Edit.Recovery.LAST_INDEX) {
            return JournalFormat.Kind.LAST_INDEX;
        }
        return durability == Durability.NONE && !edit.overwritten().isEmpty()
                ? JournalFormat.Kind.NOT
                : JournalFormat.Kind.UNDO;
    }

    /**
     * Rejects this patch if an earlier patch was interrupted, because its recovery would later undo this patch, too. A
     * writer that holds the lock has already recovered the earlier patch.
     */
    private void refuseAfterInterrupted() throws IOException {
        if (!isTruncation() && earlier == Earlier.UNKNOWN && Recovery.isDue(journals)) {
            throw new StoreException(
                    "cannot patch " + name + ": an earlier patch was interrupted. Run repair, or write to "
                            + "it under its lock, to recover it first");
        }
    }

    /**
     * Changes the time of the file, and returns the new time. If that fails, the file is unchanged; removes the
     * journal.
     */
    private FileTime stamp(OpenJournal journal, FileTime modified) throws IOException {
        try {
            return FileTimes.stamp(file(), modified)
                    .orElseThrow(() -> new UnsupportedException("changing " + name
                            + " in place needs times of microseconds, which its file system does not support"));
        } catch (FileSystemException e) {
            journal.end(OpenJournal.Forcing.NO);
            throw new UnsupportedException("changing " + name + " in place needs the permission to set its time", e);
        } catch (IOException | RuntimeException | Error e) {
            journal.end(OpenJournal.Forcing.NO);
            throw e;
        }
    }

    private void change(OpenJournal journal) throws IOException {
        try (FileChannel out = FileChannel.open(file(), CHANGE)) {
            if (out.size() > edit.oldSize()) {
                out.truncate(edit.oldSize());
            }
            PatchWriter bytes = new PatchWriter(edit, file());
            if (!edit.appended().isEmpty()) {
                bytes.append(out, isForced() && kind() == JournalFormat.Kind.LAST_INDEX);
            }
            if (!edit.overwritten().isEmpty()) {
                if (durability != Durability.NONE) {
                    forceBeforeOverwriting(out, journal);
                }
                journal.beginOverwriting();
                bytes.overwrite(out);
            }
            if (isForced()) {
                out.force(false);
            }
        }
    }

    /** Forces the appended bytes, and then adds the bytes to be overwritten to the journal and forces it. */
    private void forceBeforeOverwriting(FileChannel out, OpenJournal journal) throws IOException {
        if (isForced() && !edit.appended().isEmpty()) {
            out.force(false);
        }
        journal.redo(edit.overwritten(), Recovery.tail(out, edit.oldSize(), edit.size()));
        if (isForced()) {
            journal.force();
        }
    }

    /** Undoes a failed patch, or completes it if that is safer. Ignores interrupts. */
    private void undoOrComplete(OpenJournal journal, Throwable failure) {
        boolean interrupted = Thread.interrupted();
        try {
            Recovery.settle(journal, journals, Recovery.Cause.FAILURE);
        } catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
