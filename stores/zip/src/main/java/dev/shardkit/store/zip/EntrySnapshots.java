package dev.shardkit.store.zip;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Snapshot;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.List;

/** Snapshots of entries. */
final class EntrySnapshots {
    private static final int BUFFER = 256 << 10;

    private EntrySnapshots() {}

    private static void check(long offset, ByteBuffer target, long size) throws IOException {
        if (offset < 0 || offset > size - target.remaining()) {
            throw new EOFException("expected " + target.remaining() + " bytes from offset " + offset
                    + ", found an entry of " + size + " bytes");
        }
    }

    /** A range of the archive. */
    record Part(Snapshot archive, String version, long start, long size) implements Snapshot {
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
    record Stored(Part part, ArchiveEntry member) implements Snapshot {
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
                Unpacked.checkSum(member, List.of(written));
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
    record InMemory(Bytes bytes, String version) implements Snapshot {
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
     * A range of an archive that is being written. An interrupt, which closes a channel, does not affect other readers.
     */
    record Written(RandomAccessFile file, String version, long start, long size) implements Snapshot {
        @Override
        public void read(long offset, ByteBuffer target) throws IOException {
            check(offset, target, size);
            byte[] bytes = new byte[Math.min(target.remaining(), BUFFER)];
            synchronized (file) {
                file.seek(start + offset);
                while (target.hasRemaining()) {
                    int n = Math.min(bytes.length, target.remaining());
                    file.readFully(bytes, 0, n);
                    target.put(bytes, 0, n);
                }
            }
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    /** A deflated entry, which the first read unpacks. */
    static final class Deflated implements Snapshot {
        private final Part packed;
        private final ArchiveEntry member;
        private Bytes unpacked = Bytes.EMPTY;
        private boolean isUnpacked;

        Deflated(Part packed, ArchiveEntry member) {
            this.packed = packed;
            this.member = member;
        }

        private synchronized Bytes bytes() throws IOException {
            if (!isUnpacked) {
                ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(packed.size()));
                packed.read(0, buffer);
                unpacked = Unpacked.inflate(member, buffer.flip());
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
