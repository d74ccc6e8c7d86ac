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
 * An object that is written to a temporary file beside its place, and moved there when it is complete. Other processes
 * may remove the temporary file when nothing was appended for an hour; then the bytes are copied from the open file.
 * Used by one thread at a time.
 */
final class StagedFile implements StagedPuts.Staged {
    private static final long MAX_MAPPED = 1 << 30;
    private static final long BYTES_AT_ONCE = 512 << 10;

    /** Stores an object under the key of this one. */
    interface Store {
        /** Moves the finished file into its place. */
        void move(StagedFile file, Durability durability) throws IOException;

        /** Stores content as a new file. */
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
            // The JDK copies what it writes from the heap to a buffer of the same size, which the thread keeps.
            for (long from = 0; from < bytes.size(); from += BYTES_AT_ONCE) {
                Bytes part = bytes.slice(from, Math.min(BYTES_AT_ONCE, bytes.size() - from));
                GatheredWrites.write(part.pieces(), out);
            }
            isWritten = true;
        } finally {
            if (!isWritten) {
                truncate(size);
            }
        }
        size += bytes.size();
    }

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
        boolean mappingHinders =
                OpenFileReplacement.hinder(temporary); // a mapped file is neither truncated nor removed
        for (long from = offset; from < offset + length; from += MAX_MAPPED) {
            long size = Math.min(MAX_MAPPED, offset + length - from);
            parts.add(mappingHinders ? copy(from, (int) size) : Bytes.of(out.map(MapMode.READ_ONLY, from, size)));
        }
        return Bytes.concat(parts);
    }

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
        if (!Files.exists(temporary)) {
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
            if (!isStored && Files.exists(temporary)) {
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
