package dev.shardkit.store.zip;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.filesystem.OpenFileReplacement;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** Snapshots of an archive's entries, for reads from local archives and drafts. */
final class EntrySnapshots {
    private static final int BUFFER = 256 << 10;

    private EntrySnapshots() {}

    private static void check(long offset, ByteBuffer target, long size) throws IOException {
        if (offset < 0 || offset > size - target.remaining()) {
            throw new EOFException("expected " + target.remaining() + " bytes from offset " + offset
                    + ", found an entry of " + size + " bytes");
        }
    }

    /** A range of the archive, without a check of its checksum. */
    record Part(ObjectSnapshot archive, String version, long start, long size) implements ObjectSnapshot {
        @Override
        public void read(long offset, ByteBuffer target) throws IOException {
            check(offset, target, size);
            if (target.hasRemaining()) {
                archive.read(start + offset, target);
            }
        }

        @Override
        public void transferTo(long offset, long length, WritableByteChannel out) throws IOException {
            archive.transferTo(start + offset, length, out);
        }

        @Override
        public void confirm() throws IOException {
            archive.confirm();
        }

        @Override
        public void close() throws IOException {
            archive.close();
        }
    }

    /** A stored entry. A read of all its bytes compares them with its checksum. */
    record Stored(Part part, ArchiveEntry member) implements ObjectSnapshot {
        @Override
        public String version() {
            return part.version();
        }

        @Override
        public long size() {
            return part.size();
        }

        @Override
        public void read(long offset, ByteBuffer target) throws IOException {
            ByteBuffer written = target.duplicate();
            part.read(offset, target);
            if (written.remaining() == size()) {
                EntryInflater.checkSum(member, List.of(written));
            }
        }

        @Override
        public void transferTo(long offset, long length, WritableByteChannel out) throws IOException {
            part.transferTo(offset, length, out);
        }

        @Override
        public void confirm() throws IOException {
            part.confirm();
        }

        @Override
        public void close() throws IOException {
            part.close();
        }
    }

    /** Bytes in memory. */
    record InMemory(Bytes bytes, String version) implements ObjectSnapshot {
        @Override
        public long size() {
            return bytes.size();
        }

        @Override
        public void read(long offset, ByteBuffer target) throws IOException {
            check(offset, target, size());
            bytes.slice(offset, target.remaining()).pieces().forEach(target::put);
        }

        @Override
        public void close() {}
    }

    /**
     * A range of an archive that is being written. An interrupt of one reader closes the channel, so the others open
     * the file again. They also do so after {@link OpenFileReplacement} has closed the file to move it.
     */
    static final class Written implements ObjectSnapshot, OpenFileReplacement.Handle {
        private final Path path;
        private final String version;
        private final long start;
        private final long size;
        private volatile FileChannel channel;
        private boolean isClosed;

        private Written(Path path, String version, long start, long size) throws IOException {
            this.path = path;
            this.version = version;
            this.start = start;
            this.size = size;
            this.channel = FileChannel.open(path, StandardOpenOption.READ);
        }

        static Written open(Path path, String version, long start, long size) throws IOException {
            return OpenFileReplacement.opening(path, () -> {
                Written opened = new Written(path, version, start, size);
                OpenFileReplacement.add(path, opened);
                return opened;
            });
        }

        @Override
        public String version() {
            return version;
        }

        @Override
        public long size() {
            return size;
        }

        @Override
        public void read(long offset, ByteBuffer target) throws IOException {
            check(offset, target, size);
            int begin = target.position();
            int end = target.limit();
            while (target.position() < end) {
                // In small steps, because the JDK keeps a direct buffer as large as the largest read of each thread.
                target.limit(Math.min(end, target.position() + BUFFER));
                FileChannel source = channel;
                try {
                    if (source.read(target, start + offset + target.position() - begin) < 0) {
                        throw new EOFException("expected an entry of " + size + " bytes at offset " + start + " of "
                                + path + ", found the end of the file");
                    }
                } catch (ClosedChannelException e) {
                    reopen(source, e);
                } finally {
                    target.limit(end);
                }
            }
        }

        /** Opens the file again, unless another reader has already done so. */
        private synchronized void reopen(FileChannel closedChannel, ClosedChannelException cause) throws IOException {
            if (isClosed) {
                throw cause;
            } else if (Thread.currentThread().isInterrupted()) {
                throw new StoreException("interrupted while reading " + path.getFileName(), cause);
            } else if (channel == closedChannel) {
                try {
                    channel = OpenFileReplacement.opening(path, () -> FileChannel.open(path, StandardOpenOption.READ));
                } catch (NoSuchFileException e) {
                    throw new ObjectChangedException("the archive that was being written was published or discarded");
                }
            }
        }

        @Override
        public void release() throws IOException {
            channel.close();
        }

        @Override
        public synchronized void close() throws IOException {
            isClosed = true;
            OpenFileReplacement.remove(path, this);
            channel.close();
        }
    }

    /** A deflated entry. The first read unpacks all of it. */
    static final class Deflated implements ObjectSnapshot {
        private final Part packed;
        private final ArchiveEntry member;
        private Bytes unpacked = Bytes.EMPTY;
        private boolean isUnpacked;

        Deflated(Part packed, ArchiveEntry member) {
            this.packed = packed;
            this.member = member;
        }

        /** Returns the unpacked bytes; unpacks them at the first call. */
        private synchronized Bytes bytes() throws IOException {
            if (!isUnpacked) {
                ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(packed.size()));
                packed.read(0, buffer);
                unpacked = EntryInflater.inflate(member, buffer.flip());
                isUnpacked = true;
            }
            return unpacked;
        }

        @Override
        public String version() {
            return packed.version();
        }

        @Override
        public long size() {
            return member.size();
        }

        @Override
        public void read(long offset, ByteBuffer target) throws IOException {
            check(offset, target, size());
            bytes().slice(offset, target.remaining()).pieces().forEach(target::put);
        }

        @Override
        public void confirm() throws IOException {
            packed.confirm();
        }

        @Override
        public void close() throws IOException {
            packed.close();
        }
    }
}
