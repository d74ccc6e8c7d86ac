package dev.shardkit.store.zip;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Content;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32;

/**
 * A new archive beside the old one, to which entries are appended. Its first {@link #RESERVED} bytes are reserved for
 * the documents of nodes. Several threads may write concurrently, each into its own range. Each uses a channel of its
 * own, because an interrupted thread closes its channel.
 */
final class DraftFile {
    /** The size of the space for documents. The unused part becomes an extra field, which has at most 65,535 bytes. */
    static final int RESERVED = 0xffff;

    private final Path path;
    /** The archive, for messages. */
    private final Path archive;

    private final AtomicLong end = new AtomicLong(RESERVED);

    private DraftFile(Path path, Path archive) {
        this.path = path;
        this.archive = archive;
    }

    static DraftFile create(Path path, Path archive) throws IOException {
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)
                .close();
        return new DraftFile(path, archive);
    }

    Path path() {
        return path;
    }

    /** Returns the offset after the last entry. */
    long end() {
        return end.get();
    }

    /** Appends an entry. If reading the content fails, the written bytes remain unused. */
    PlacedEntry append(String name, Content content) throws IOException {
        long size = content.size();
        int header = ZipRecords.localSize(name.getBytes(StandardCharsets.UTF_8).length, size);
        long offset = end.getAndAdd(header + size);
        boolean isComplete = false;
        try (FileChannel out = FileChannel.open(path, StandardOpenOption.WRITE)) {
            Region region = new Region(name, out, offset + header, size);
            content.writeTo(region);
            if (region.written != size) {
                throw wrongSize(name, size, Long.toString(region.written));
            }
            PlacedEntry placed = PlacedEntry.stored(name, (int) region.checksum.getValue(), size, offset, header);
            region.writeHeader(placed.local(0), offset);
            isComplete = true;
            return placed;
        } finally {
            if (!isComplete) {
                end.compareAndSet(offset + header + size, offset);
            }
        }
    }

    private StoreException wrongSize(String name, long size, String actual) {
        return new StoreException("writing " + name + " to the archive " + archive + ": expected " + size
                + " bytes from the content, found " + actual);
    }

    /**
     * Writes the bytes of one entry in order. Reports failures of the file as {@link StoreException}, because after an
     * {@code IOException} the content may write the same bytes again in another way.
     */
    private final class Region implements WritableByteChannel {
        private final String name;
        private final FileChannel out;
        private final long start;
        private final long size;
        private final CRC32 checksum = new CRC32();
        private long written;

        Region(String name, FileChannel out, long start, long size) {
            this.name = name;
            this.out = out;
            this.start = start;
            this.size = size;
        }

        @Override
        public int write(ByteBuffer bytes) throws IOException {
            int count = bytes.remaining();
            if (count > size - written) {
                throw wrongSize(name, size, "more");
            }
            checksum.update(bytes.duplicate());
            try {
                while (bytes.hasRemaining()) {
                    written += out.write(bytes, start + written);
                }
            } catch (ClosedChannelException e) {
                throw e; // the thread was interrupted
            } catch (IOException e) {
                throw failed(e);
            }
            return count;
        }

        void writeHeader(ByteBuffer header, long offset) throws IOException {
            try {
                ZipRecords.writeAt(out, header, offset);
            } catch (ClosedChannelException e) {
                throw e; // the thread was interrupted
            } catch (IOException e) {
                throw failed(e);
            }
        }

        private StoreException failed(IOException e) {
            return new StoreException(
                    "writing " + name + " to the archive " + archive + " failed: " + e.getMessage(), e);
        }

        @Override
        public boolean isOpen() {
            return out.isOpen();
        }

        @Override
        public void close() {}
    }
}
