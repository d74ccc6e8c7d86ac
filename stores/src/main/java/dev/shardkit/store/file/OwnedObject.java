package dev.shardkit.store.file;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.Patches;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;

/**
 * An object as its owner changes it: without a journal, and with one change of the file's time, at the end. Readers
 * that open the file during the change wait for it, or for the next tick of the system's clock ({@link FileTimes}).
 */
final class OwnedObject implements Patches.Owned {
    private final OwnedFiles files;
    private final String key;
    private final OwnedFile file;
    private final FileState state;
    private final long drops;
    private boolean closed;

    /** The object under {@code key} in the state {@code state}; {@code drops} is for {@link OwnedFiles#release}. */
    OwnedObject(OwnedFiles files, String key, OwnedFile file, FileState state, long drops) {
        this.files = files;
        this.key = key;
        this.file = file;
        this.state = state;
        this.drops = drops;
    }

    @Override
    public String version() {
        return state.version();
    }

    @Override
    public long size() {
        return state.size();
    }

    @Override
    public void read(long offset, ByteBuffer into) throws IOException {
        if (!Channels.read(file.channel(), offset, into)) {
            throw new EOFException("expected " + into.remaining() + " more bytes of " + key + ", which had "
                    + state.size() + " bytes when it was opened; found its end");
        }
    }

    @Override
    public void patch(Edit.Patch patch) throws IOException {
        PatchWriter.check(patch, key);
        if (state.size() < patch.oldSize()) {
            throw new ObjectChangedException(
                    "changing " + key + ": expected at least " + patch.oldSize() + " bytes, found " + state.size());
        }
        FileChannel out = file.channel();
        if (state.size() > patch.oldSize()) {
            out.truncate(patch.oldSize());
        }
        PatchWriter bytes = new PatchWriter(patch, file.path());
        if (!patch.appended().isEmpty()) {
            append(bytes, out);
        }
        bytes.overwrite(out);
        stamp();
    }

    /** Appends; if that fails, because the disk is full, say, truncates the file to its old size. */
    private static void append(PatchWriter bytes, FileChannel out) throws IOException {
        try {
            bytes.append(out, false);
        } catch (IOException | RuntimeException | Error e) {
            try {
                out.truncate(bytes.edit().oldSize());
            } catch (IOException | RuntimeException again) {
                e.addSuppressed(again);
            }
            throw e;
        }
    }

    /** Sets the access time too: otherwise the JDK reads it first, by one more system call. */
    private void stamp() throws IOException {
        FileTime next = FileTimes.uniqueAfter(state.modified());
        Files.getFileAttributeView(file.path(), BasicFileAttributeView.class).setTimes(next, next, null);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            files.release(key, file, drops);
        }
    }
}
