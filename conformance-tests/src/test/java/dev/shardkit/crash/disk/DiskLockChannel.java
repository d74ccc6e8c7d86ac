package dev.shardkit.crash.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** A lock file of a {@link Disk}: it is locked, read and written, and nothing else. */
final class DiskLockChannel extends AsynchronousFileChannel {
    private final Disk disk;
    private final Path path;
    private final AsynchronousFileChannel real;
    private final int node;

    /** @param node the number of the file in the disk's log, if there is one */
    DiskLockChannel(Disk disk, Path path, AsynchronousFileChannel real, int node) {
        this.node = node;
        this.disk = disk;
        this.path = path;
        this.real = real;
        disk.opened();
    }

    @Override
    public @Nullable FileLock tryLock(long position, long size, boolean shared) throws IOException {
        disk.call("lock", path);
        return real.tryLock(position, size, shared);
    }

    @Override
    public Future<Integer> read(ByteBuffer into, long position) {
        try {
            disk.call("read", path);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
        return real.read(into, position);
    }

    @Override
    public Future<Integer> write(ByteBuffer from, long position) {
        ByteBuffer bytes = from.duplicate();
        try {
            disk.call("write", path);
            Future<Integer> written = real.write(from, position);
            disk.wrote(path, bytes.remaining());
            disk.log().ifPresent(log -> log.wrote(node, position, bytes));
            return written;
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public boolean isOpen() {
        return real.isOpen();
    }

    @Override
    public void close() throws IOException {
        if (real.isOpen()) {
            disk.closed();
            real.close();
            disk.call("close", path);
        }
    }

    @Override
    public long size() {
        throw new UnsupportedOperationException();
    }

    @Override
    public AsynchronousFileChannel truncate(long size) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void force(boolean metaData) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <A> void lock(
            long position, long size, boolean shared, A attachment, CompletionHandler<FileLock, ? super A> handler) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Future<FileLock> lock(long position, long size, boolean shared) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <A> void read(ByteBuffer into, long position, A attachment, CompletionHandler<Integer, ? super A> handler) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <A> void write(ByteBuffer from, long position, A attachment, CompletionHandler<Integer, ? super A> handler) {
        throw new UnsupportedOperationException();
    }
}
