package dev.shardkit.store.file;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.Patches;
import dev.shardkit.store.file.disk.Channels;
import dev.shardkit.store.file.disk.FileState;
import dev.shardkit.store.file.disk.FileTimes;
import dev.shardkit.store.file.patch.PatchWriter;
import dev.shardkit.store.policy.Durability;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.LinkOption;
import java.nio.file.StandardOpenOption;

/**
 * A stored object that the owner of its array patches. No other process writes to it, so most patches need no journal.
 * A patch without a journal sets the file's modification time once, at its end. A reader that opens the file during the
 * patch waits for the end, or for the next tick of the system's clock ({@link FileTimes}). A patch has a journal if it
 * is long, or if only a journal can roll it back.
 */
final class OwnedObject implements Patches.Owned {
    /** The maximum size in bytes of a patch without a journal: that of one system call ({@link Channels}). */
    private static final int MAX_WITHOUT_JOURNAL = 1 << 20;

    private final OwnedFiles files;
    private final String key;
    private final OwnedFile file;
    private final FileState state;
    private final String version;
    private final long dropsAtOpen;
    /** Whether a patch has begun and not succeeded. */
    private boolean unfinished;

    private boolean closed;

    /**
     * Creates an instance for an open object.
     *
     * @param state the state of the file when it was opened
     * @param dropsAtOpen is passed to {@link OwnedFiles#release}
     */
    OwnedObject(OwnedFiles files, String key, OwnedFile file, FileState state, long dropsAtOpen) {
        this.files = files;
        this.key = key;
        this.file = file;
        this.state = state;
        this.version = state.version();
        this.dropsAtOpen = dropsAtOpen;
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public long size() {
        return state.size();
    }

    @Override
    public void read(long offset, ByteBuffer target) throws IOException {
        if (!Channels.read(file.channel(), offset, target)) {
            throw new EOFException("expected " + target.remaining() + " more bytes of " + key + ", which had "
                    + state.size() + " bytes when it was opened; found its end");
        }
    }

    @Override
    public void patch(Edit.Patch patch) {
        unfinished = true;
        if (needsJournal(patch)) {
            files.patching().patch(key, patch, Durability.NONE);
        } else {
            patchWithoutJournal(patch);
        }
        unfinished = false;
    }

    private void patchWithoutJournal(Edit.Patch patch) {
        PatchWriter.check(patch, key);
        if (state.size() < patch.oldSize()) {
            throw new ObjectChangedException(
                    "changing " + key + ": expected at least " + patch.oldSize() + " bytes, found " + state.size());
        }
        try {
            change(patch);
        } catch (IOException e) {
            throw files.failed("changing", key, e);
        }
    }

    /**
     * Returns whether a patch needs a journal. After an interrupted append, either a journal or the checksum of the
     * last index tells where the old content ends.
     */
    private static boolean needsJournal(Edit.Patch patch) {
        boolean appends = !patch.appended().isEmpty();
        return patch.written() > MAX_WITHOUT_JOURNAL
                || appends
                        && (patch.recovery() != Edit.Recovery.LAST_INDEX
                                || !patch.overwritten().isEmpty());
    }

    private void change(Edit.Patch patch) throws IOException {
        FileChannel out = file.channel();
        if (state.size() > patch.oldSize()) {
            out.truncate(patch.oldSize());
        }
        PatchWriter writer = new PatchWriter(patch, file.path());
        if (!patch.appended().isEmpty()) {
            append(writer, out);
        }
        writer.overwrite(out);
        stamp();
    }

    /** Appends. If that fails, for example because the disk is full, truncates the file to its old size. */
    private void append(PatchWriter writer, FileChannel out) throws IOException {
        try {
            writer.append(out, false); // does not force the bytes to the device
        } catch (IOException | RuntimeException | Error e) {
            rollBack(writer.edit().oldSize(), e);
            throw e;
        }
    }

    /** Truncates the file through a new channel, because an interrupt closes the channel in use. */
    private void rollBack(long oldSize, Throwable failure) {
        boolean interrupted = Thread.interrupted();
        try (FileChannel reopened =
                FileChannel.open(file.path(), StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            if (file.hasIdentity(FileState.of(file.path()))) {
                reopened.truncate(oldSize);
            }
        } catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Sets the modification time to one that the file did not have before. A process that may write the file but not
     * set its time keeps the system's time; readers then wait for the next tick.
     */
    private void stamp() throws IOException {
        try {
            FileTimes.set(file.path(), FileTimes.uniqueAfter(state.modified()));
        } catch (FileSystemException e) {
            System.getLogger("dev.shardkit.store.file").log(System.Logger.Level.DEBUG, "setting a time failed", e);
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            if (unfinished) {
                files.close(file); // so the next change opens the file anew and finds a journal that may remain
            } else {
                files.release(key, file, dropsAtOpen);
            }
        }
    }
}
