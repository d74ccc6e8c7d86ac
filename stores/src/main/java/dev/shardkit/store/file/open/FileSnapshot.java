package dev.shardkit.store.file.open;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.Snapshot;
import dev.shardkit.store.file.disk.FileState;
import dev.shardkit.store.file.lock.LockRegistry;
import dev.shardkit.store.file.patch.JournalDirectory;
import dev.shardkit.store.internal.OpenHandles;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * An open file. Positional reads share one channel. If a thread is interrupted, the JDK closes the channel that it
 * uses; other threads then reopen the file if it is unchanged. So does a reader whose file was closed so that it can be
 * replaced ({@link OpenHandles}); if it was replaced, the reader fails with {@link ObjectChangedException}.
 */
public final class FileSnapshot implements Snapshot, OpenHandles.Handle {
    /** The JDK keeps a direct buffer of the largest heap read of each thread, so large reads are split. */
    private static final int HEAP_READ = 1 << 20;

    private final Path path;
    private final JournalDirectory patches;
    private final FileState state;
    private final String version;
    private volatile SeekableByteChannel channel;
    private boolean closed;

    private FileSnapshot(Path path, FileState state, SeekableByteChannel channel) {
        this.path = path;
        this.patches = JournalDirectory.of(path);
        this.state = state;
        this.version = state.version();
        this.channel = channel;
    }

    /**
     * Opens the file at {@code path}, which was a regular file when {@code before} was read. Fails if it changes during
     * the call.
     */
    public static FileSnapshot open(Path path, FileState before) throws IOException {
        if (LockRegistry.isInUse(path, before.fileKey().orElse(null))) {
            if (!FileState.of(path).equals(before)) {
                // The file was replaced, and the new lock file has its freed identity.
                throw new ObjectChangedException("a file was replaced before the opening: " + path.getFileName());
            }
            throw new StoreException("opening " + path.getFileName() + ": it is a hard link to a lock file in use");
        }
        return OpenHandles.opening(path, () -> {
            FileSnapshot opened = opened(path, before);
            OpenHandles.add(path, opened);
            return opened;
        });
    }

    private static FileSnapshot opened(Path path, FileState before) throws IOException {
        SeekableByteChannel channel = channel(path);
        try {
            // A channel does not reveal its file. If the path shows the same file before and after, the channel is open
            // on that file.
            FileState after = FileState.of(path);
            if (after.kind() != FileState.Kind.FILE || !after.equals(before) || channel.size() != after.size()) {
                throw new ObjectChangedException("a file was replaced during the opening: " + path.getFileName());
            }
            return new FileSnapshot(path, after, channel);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static SeekableByteChannel channel(Path path) throws IOException {
        try {
            return FileChannel.open(path, StandardOpenOption.READ);
        } catch (UnsupportedOperationException e) {
            return Files.newByteChannel(path, StandardOpenOption.READ);
        }
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
    public void read(long offset, ByteBuffer into) throws IOException {
        int end = into.limit();
        int start = into.position();
        while (into.position() < end) {
            into.limit(into.isDirect() ? end : (int) Math.min(end, (long) into.position() + HEAP_READ));
            try {
                readSome(offset + into.position() - start, into, end);
            } finally {
                into.limit(end);
            }
        }
    }

    private void readSome(long offset, ByteBuffer into, int end) throws IOException {
        SeekableByteChannel from = channel;
        try {
            int n = from instanceof FileChannel file ? file.read(into, offset) : readSeeking(from, offset, into);
            if (n < 0) {
                throw endOfFile(offset, end - into.position());
            }
        } catch (ClosedChannelException e) {
            reopen(from, e);
        }
    }

    private int readSeeking(SeekableByteChannel from, long offset, ByteBuffer into) throws IOException {
        synchronized (from) {
            return from.position(offset).read(into);
        }
    }

    @Override
    public void transferTo(long offset, long length, WritableByteChannel out) throws IOException {
        if (!(channel instanceof FileChannel)) {
            Snapshot.super.transferTo(offset, length, out);
            return;
        }
        long at = 0;
        while (at < length) {
            SeekableByteChannel from = channel;
            try {
                long n = ((FileChannel) from).transferTo(offset + at, length - at, out);
                if (n == 0 && offset + at >= from.size()) {
                    throw endOfFile(offset + at, length - at);
                }
                at += n;
            } catch (ClosedChannelException e) {
                if (from.isOpen()) {
                    throw e; // the other channel was closed
                }
                reopen(from, e);
            }
        }
    }

    /** Returns whether this is the state of the opened file. */
    boolean isVersion(FileState now) {
        return now.equals(state);
    }

    /** Returns whether the file has an identity and lies on that device. */
    boolean isOn(Object device) {
        return channel instanceof FileChannel
                && state.fileKey().isPresent()
                && state.device().equals(Optional.of(device));
    }

    /**
     * Returns whether the file is being changed in place. If it is not, and a later confirmation succeeds, the file did
     * not change in between: a patch that ended before this call, but after the file was opened, has changed the file's
     * time.
     */
    public boolean isBeingPatched() throws IOException {
        return patches.isUnderWay();
    }

    @Override
    public void confirm() throws IOException {
        Optional<FileState> now = Optional.empty();
        try {
            now = Optional.of(FileState.of(path));
        } catch (NoSuchFileException e) {
            // deleted; it may have been changed in place before that
        }
        if (now.isPresent() && isVersion(now.get())) {
            return;
        }
        // A file that was only replaced stays complete while it is open.
        boolean same = now.isPresent()
                && (state.fileKey().isEmpty()
                        || state.fileKey().equals(now.get().fileKey()));
        if (same || patches.isUsed()) {
            throw new ObjectChangedException("expected version " + version + " of " + path.getFileName() + ", found "
                    + now.map(FileState::version).orElse("no file"));
        }
    }

    private EOFException endOfFile(long offset, long wanted) {
        return new EOFException("expected " + wanted + " more bytes at offset " + offset + " of " + path.getFileName()
                + ", which had " + state.size() + " bytes when it was opened; found its end");
    }

    private synchronized void reopen(SeekableByteChannel dead, ClosedChannelException cause) throws IOException {
        if (closed) {
            throw cause;
        } else if (Thread.currentThread().isInterrupted()) {
            throw new StoreException("interrupted while reading " + path.getFileName(), cause);
        } else if (channel != dead) {
            return;
        }
        try {
            OpenHandles.opening(path, () -> {
                FileSnapshot again = opened(path, FileState.of(path));
                if (!again.version.equals(version)) {
                    again.channel.close();
                    throw new ObjectChangedException(
                            "expected version " + version + " of " + path.getFileName() + ", found " + again.version);
                }
                channel = again.channel; // here, so that a change which follows at once finds the open channel
                return again;
            });
        } catch (NoSuchFileException e) {
            throw new ObjectChangedException(
                    "expected version " + version + " of " + path.getFileName() + ", found no file");
        }
    }

    @Override
    public void release() throws IOException {
        channel.close();
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        OpenHandles.remove(path, this);
        channel.close();
    }
}
