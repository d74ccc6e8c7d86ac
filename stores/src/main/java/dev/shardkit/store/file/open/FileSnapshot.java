package dev.shardkit.store.file.open;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.file.disk.FileState;
import dev.shardkit.store.file.lock.LockRegistry;
import dev.shardkit.store.file.patch.JournalDirectory;
import dev.shardkit.store.filesystem.OpenFileReplacement;
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
 * An open local file, read in the version that it had when it was opened. All threads read through one channel. It may
 * be closed during a read: by the JDK if a reading thread is interrupted, or on Windows by a writer that replaces the
 * file ({@link OpenFileReplacement}). The other readers then open the file again. If it was replaced or changed, they
 * fail with {@link ObjectChangedException}. Thread-safe.
 */
public final class FileSnapshot implements ObjectSnapshot, OpenFileReplacement.Handle {
    /** The maximum size of one read into the heap: the JDK keeps a direct buffer of this size for each thread. */
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
     * Opens the regular file at {@code path}.
     *
     * @param expected the state of the file before the call
     * @throws ObjectChangedException if the file is not in this state, or changes during the call
     */
    public static FileSnapshot open(Path path, FileState expected) throws IOException {
        if (LockRegistry.isInUse(path, expected.fileKey().orElse(null))) {
            if (!FileState.of(path).equals(expected)) {
                // The file was deleted, and its identity is now that of a new lock file.
                throw new ObjectChangedException("a file was replaced before the opening: " + path.getFileName());
            }
            throw new StoreException("opening " + path.getFileName() + ": it is a hard link to a lock file in use");
        }
        return OpenFileReplacement.opening(path, () -> {
            FileSnapshot opened = openUnchanged(path, expected);
            OpenFileReplacement.add(path, opened);
            return opened;
        });
    }

    private static FileSnapshot openUnchanged(Path path, FileState expected) throws IOException {
        SeekableByteChannel channel = channel(path);
        try {
            // Java does not show which file a channel has opened. If the path leads to the same file before and after
            // the opening, the channel has opened this file.
            FileState current = FileState.of(path);
            if (current.kind() != FileState.Kind.FILE
                    || !current.equals(expected)
                    || channel.size() != current.size()) {
                throw new ObjectChangedException("a file was replaced during the opening: " + path.getFileName());
            }
            return new FileSnapshot(path, current, channel);
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
    public String contentVersion() {
        return state.contentVersion();
    }

    @Override
    public long size() {
        return state.size();
    }

    @Override
    public void read(long offset, ByteBuffer target) throws IOException {
        int end = target.limit();
        int start = target.position();
        while (target.position() < end) {
            target.limit(target.isDirect() ? end : (int) Math.min(end, (long) target.position() + HEAP_READ));
            try {
                readSome(offset + target.position() - start, target, end);
            } finally {
                target.limit(end);
            }
        }
    }

    private void readSome(long offset, ByteBuffer target, int end) throws IOException {
        SeekableByteChannel source = channel;
        try {
            int count = source instanceof FileChannel file
                    ? file.read(target, offset)
                    : readSeeking(source, offset, target);
            if (count < 0) {
                throw endOfFile(offset, end - target.position());
            }
        } catch (ClosedChannelException e) {
            reopen(source, e);
        }
    }

    /** Reads from a channel of a file system without {@link FileChannel}s. All readers share its position. */
    private int readSeeking(SeekableByteChannel source, long offset, ByteBuffer target) throws IOException {
        synchronized (source) {
            return source.position(offset).read(target);
        }
    }

    @Override
    public void transferTo(long offset, long length, WritableByteChannel out) throws IOException {
        if (!(channel instanceof FileChannel)) {
            ObjectSnapshot.super.transferTo(offset, length, out);
            return;
        }
        long position = 0;
        while (position < length) {
            SeekableByteChannel source = channel;
            try {
                long count = ((FileChannel) source).transferTo(offset + position, length - position, out);
                if (count == 0 && offset + position >= source.size()) {
                    throw endOfFile(offset + position, length - position);
                }
                position += count;
            } catch (ClosedChannelException e) {
                if (source.isOpen()) {
                    throw e; // the target was closed, not the file
                }
                reopen(source, e);
            }
        }
    }

    /** Returns whether {@code current} is the state in which the file was opened. */
    boolean isVersion(FileState current) {
        return current.equals(state);
    }

    /** Returns whether the file has an identity and lies on the disk {@code device}. */
    boolean isOn(Object device) {
        return channel instanceof FileChannel
                && state.fileKey().isPresent()
                && state.device().equals(Optional.of(device));
    }

    /**
     * Returns whether the file is being changed in place. If not, and a later {@link #confirm} succeeds, the file has
     * not changed since it was opened: every patch changes the file's time, also one that ended before this call.
     */
    public boolean isBeingPatched() throws IOException {
        return patches.isUnderWay();
    }

    @Override
    public void confirm() throws IOException {
        Optional<FileState> current = Optional.empty();
        try {
            current = Optional.of(FileState.of(path));
        } catch (NoSuchFileException e) {
            // The file was deleted. Before, it may have been changed in place, which is checked below.
        }
        if (current.isPresent() && isVersion(current.get())) {
            return;
        }
        // If the file was only replaced or deleted, this snapshot still reads the complete old file.
        boolean isSameFile = current.isPresent()
                && (state.fileKey().isEmpty()
                        || state.fileKey().equals(current.get().fileKey()));
        if (isSameFile || patches.isUsed()) {
            throw new ObjectChangedException("expected version " + version + " of " + path.getFileName() + ", found "
                    + current.map(FileState::version).orElse("no file"));
        }
    }

    private EOFException endOfFile(long offset, long missing) {
        return new EOFException("expected " + missing + " more bytes at offset " + offset + " of " + path.getFileName()
                + ", which had " + state.size() + " bytes when it was opened; found its end");
    }

    /** Opens the file again after its channel was closed, unless another thread has done so. */
    private synchronized void reopen(SeekableByteChannel closedChannel, ClosedChannelException cause)
            throws IOException {
        if (closed) {
            throw cause;
        } else if (Thread.currentThread().isInterrupted()) {
            throw new StoreException("interrupted while reading " + path.getFileName(), cause);
        } else if (channel != closedChannel) {
            return;
        }
        try {
            OpenFileReplacement.opening(path, () -> {
                FileSnapshot reopened = openUnchanged(path, FileState.of(path));
                if (!reopened.version.equals(version)) {
                    reopened.channel.close();
                    throw new ObjectChangedException("expected version " + version + " of " + path.getFileName()
                            + ", found " + reopened.version);
                }
                channel = reopened.channel; // set here, so that a writer that follows at once can close it again
                return reopened;
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
        OpenFileReplacement.remove(path, this);
        channel.close();
    }
}
