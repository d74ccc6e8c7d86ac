package dev.shardkit.store.file;

import dev.shardkit.store.file.disk.FileState;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;

/** A file that an owner has open for changes. Used by one thread at a time. */
final class OwnedFile {
    private final Path path;
    private final Object identity;
    private final FileChannel channel;
    private long idleSince;

    /** The open file at {@code path}, a real path, with its identity. */
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

    /** Returns whether this is the file whose state is {@code state}. */
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
