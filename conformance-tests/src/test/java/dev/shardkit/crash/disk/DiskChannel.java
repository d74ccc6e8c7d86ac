package dev.shardkit.crash.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file of a {@link Disk}. */
final class DiskChannel extends FileChannel {
    private final Disk disk;
    private final Path path;
    private final FileChannel real;
    private final int node;

    /** @param node the number of the file in the disk's log, if there is one */
    DiskChannel(Disk disk, Path path, FileChannel real, int node) {
        this.node = node;
        this.disk = disk;
        this.path = path;
        this.real = real;
        disk.opened();
    }

    private interface Writing {
        int write(ByteBuffer bytes) throws IOException;
    }

    private int write(ByteBuffer bytes, long at, Writing writing) throws IOException {
        ByteBuffer before = bytes.duplicate();
        int n = writeOrFail(bytes, writing);
        disk.log().ifPresent(log -> log.wrote(node, at, before.limit(before.position() + n)));
        return n;
    }

    private int writeOrFail(ByteBuffer bytes, Writing writing) throws IOException {
        if (disk.fails("write", path)) {
            ByteBuffer half = bytes.duplicate().limit(bytes.position() + bytes.remaining() / 2);
            disk.wrote(path, writing.write(half));
            throw disk.failure(path);
        }
        int n = writing.write(bytes);
        disk.wrote(path, n);
        return n;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        disk.call("read", path);
        return real.read(into);
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
        disk.call("read", path);
        return real.read(into, offset, length);
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
        disk.call("read", path);
        return real.read(into, position);
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        return write(from, real.position(), real::write);
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        for (int i = offset; i < offset + length; i++) {
            if (from[i].hasRemaining()) {
                return write(from[i]);
            }
        }
        return 0;
    }

    @Override
    public int write(ByteBuffer from, long position) throws IOException {
        return write(from, position, b -> real.write(b, position));
    }

    @Override
    public long position() throws IOException {
        return real.position();
    }

    @Override
    public FileChannel position(long position) throws IOException {
        real.position(position);
        return this;
    }

    @Override
    public long size() throws IOException {
        disk.call("size of", path);
        return real.size();
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        disk.call("truncate", path);
        boolean shorter = size < real.size();
        real.truncate(size);
        if (shorter) {
            disk.log().ifPresent(log -> log.truncated(node, size));
        }
        return this;
    }

    @Override
    public void force(boolean metaData) throws IOException {
        disk.call("force", path);
        disk.log().ifPresent(log -> log.forced(node));
    }

    /** Through the target's own {@code write}, so that what is written there is counted. */
    @Override
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
        disk.call("transfer from", path);
        return real.transferTo(position, count, target);
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) throws IOException {
        disk.call("transfer to", path);
        if (disk.log().isPresent()) {
            throw new IOException("not recorded: transferFrom");
        }
        long n = real.transferFrom(source, position, count);
        disk.wrote(path, n);
        return n;
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) throws IOException {
        disk.call("lock", path);
        return real.lock(position, size, shared);
    }

    @Override
    public @Nullable FileLock tryLock(long position, long size, boolean shared) throws IOException {
        disk.call("lock", path);
        return real.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        disk.closed();
        real.close();
        disk.call("close", path);
    }
}
