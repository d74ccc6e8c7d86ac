package dev.shardkit.store.file;

import dev.shardkit.store.file.disk.FileState;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;

/** An open file of an array's owner ({@link OwnedFiles}), in use or idle. Used by one thread at a time. */
final class OwnedFile {
    private final Path path;
    private final Object identity;
    private final FileChannel channel;
    /** The time of {@link System#nanoTime} at which the file was last released. */
    private long idleSince;

    /**
     * Creates an instance for an open file.
     *
     * @param path its real path
     * @param identity its file key, such as device and inode
     */
    OwnedFile(Path path, Object identity, FileChannel channel) {
        this.path = path;
        this.identity = identity;
        this.channel = channel;
    }

    Path path() {
        return path;
    }

    FileChannel channel() {
        return channel;
    }

    /** Returns whether {@code state} is the state of this file, rather than of another one at the same path. */
    boolean hasIdentity(FileState state) {
        return state.kind() == FileState.Kind.FILE && state.fileKey().equals(Optional.of(identity));
    }

    long idleSince() {
        return idleSince;
    }

    void idleSince(long nanos) {
        idleSince = nanos;
    }
}
