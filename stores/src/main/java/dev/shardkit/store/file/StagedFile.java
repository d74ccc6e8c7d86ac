package dev.shardkit.store.file;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.StagedPuts;
import dev.shardkit.store.channel.GatheredWrites;
import dev.shardkit.store.file.disk.Channels;
import dev.shardkit.store.filesystem.OpenFileReplacement;
import dev.shardkit.store.policy.Durability;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * An object that is written to a temporary file beside its final path, and moved to that path when it is complete. If
 * nothing is appended for an hour, another process may remove the temporary file as a leftover. Then {@link #put}
 * copies the bytes from the removed file, which is still open here, to a new file. Used by one thread at a time.
 */
final class StagedFile implements StagedPuts.Staged {
    /** The maximum size in bytes of one mapped part. A Java buffer holds less than 2 GiB. */
    private static final long MAX_MAPPED = 1 << 30;

    /** The maximum number of bytes of one write. */
    private static final long BYTES_AT_ONCE = 512 << 10;

    /** Stores the complete object under its key. */
    interface Store {
        /** Moves the complete temporary file to the path of the object. */
        void move(StagedFile file, Durability durability) throws IOException;

        /** Stores content as a new file, without the temporary one. */
        void put(Content content, Durability durability) throws IOException;
    }

    private final Path temporary;
    private final CreatedFile created;
    private final FileChannel out;
    private final Store store;
    private long size;
    private boolean isStored;

    StagedFile(Path temporary, CreatedFile created, FileChannel out, Store store) {
        this.temporary = temporary;
        this.created = created;
        this.out = out;
        this.store = store;
    }

    Path temporary() {
        return temporary;
    }

    @Override
    public void append(Bytes bytes) throws IOException {
        refuseStored();
        out.position(size);
        boolean isWritten = false;
        try {
            // The JDK copies each write from the heap to a direct buffer of the same size, which the thread keeps. So
            // large writes are split.
            for (long from = 0; from < bytes.size(); from += BYTES_AT_ONCE) {
                Bytes part = bytes.slice(from, Math.min(BYTES_AT_ONCE, bytes.size() - from));
                GatheredWrites.write(part.pieces(), out);
            }
            isWritten = true;
        } finally {
            if (!isWritten) { // removes the part that was written
                truncate(size);
            }
        }
        size += bytes.size();
    }

    /** Throws {@link IllegalStateException} if the object was stored: it cannot change any more. */
    private void refuseStored() {
        if (isStored) {
            throw new IllegalStateException("the object is stored; stage another one");
        }
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public boolean isStored() {
        return isStored;
    }

    @Override
    public void truncate(long newSize) throws IOException {
        refuseStored();
        size = Math.min(size, newSize);
        out.truncate(size);
    }

    @Override
    public Bytes read(long offset, long length) throws IOException {
        Objects.checkFromIndexSize(offset, length, size);
        List<Bytes> parts = new ArrayList<>();
        // Windows can neither truncate nor remove a file that is mapped into memory, so the bytes are copied there.
        boolean isWindows = OpenFileReplacement.hinder(temporary);
        for (long from = offset; from < offset + length; from += MAX_MAPPED) {
            long partSize = Math.min(MAX_MAPPED, offset + length - from);
            parts.add(isWindows ? copy(from, (int) partSize) : Bytes.of(out.map(MapMode.READ_ONLY, from, partSize)));
        }
        return Bytes.concat(parts);
    }

    /** Returns a copy of staged bytes, on the heap. */
    private Bytes copy(long offset, int length) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(length);
        if (!Channels.read(out, offset, target)) {
            throw new EOFException("expected " + length + " staged bytes at offset " + offset + " of " + temporary
                    + ", found its end");
        }
        return Bytes.of(target.flip());
    }

    @Override
    public void put(Content tail, Durability durability) throws IOException {
        refuseStored();
        if (!Files.exists(temporary)) { // another process has removed it
            store.put(whole(tail), durability);
            isStored = true;
            return;
        }
        try {
            out.position(size);
            tail.writeTo(out);
            if (out.size() != size + tail.size()) {
                throw new IOException(
                        "expected " + tail.size() + " bytes from the content, found " + (out.size() - size));
            }
            if (created.finalRights().isPresent()) {
                created.finalRights().get().applyTo(temporary);
            }
            if (durability == Durability.FORCED) {
                out.force(true);
            }
            store.move(this, durability);
            isStored = true;
        } finally {
            if (!isStored && Files.exists(temporary)) { // removes the tail, so that the call can be repeated
                truncate(size);
            }
        }
    }

    /** Returns the staged bytes and {@code tail} as content of another file. */
    private Content whole(Content tail) {
        return new Content() {
            @Override
            public long size() {
                return size + tail.size();
            }

            @Override
            public void writeTo(WritableByteChannel target) throws IOException {
                Channels.copy(out, 0, size, target);
                tail.writeTo(target);
            }
        };
    }

    @Override
    public void close() throws IOException {
        try {
            out.close();
        } finally {
            if (!isStored) {
                Files.deleteIfExists(temporary);
            }
            UnfinishedPuts.ofProcess().unstaged(temporary);
        }
    }
}
