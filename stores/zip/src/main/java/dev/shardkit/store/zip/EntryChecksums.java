package dev.shardkit.store.zip;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.StoredChecksums;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Compares the entries of an archive, stored and deflated, with their CRC-32. Reads the archive in the order of its
 * bytes, a few megabytes at a time, so small entries need no requests of their own. Ignores unpublished changes.
 *
 * @param archives opens the archive
 * @param names the names of entries
 * @param described the archive, for messages
 */
record EntryChecksums(Archives archives, EntryNames names, String described) implements StoredChecksums {
    /** The number of bytes of the archive that one request reads. */
    private static final int WINDOW = 4 << 20;
    /** The number of bytes that the inflater returns at a time. */
    private static final int PIECE = 64 << 10;

    /** Opens the archive. */
    @FunctionalInterface
    interface Archives {
        Opened open() throws IOException;
    }

    /**
     * An archive of one version.
     *
     * @param fetch reads a range of the archive, in the version of the directory
     * @param end closes the archive
     */
    record Opened(
            ArchiveDirectory directory,
            Function<ByteRange, CompletableFuture<? extends FetchResult>> fetch,
            Closeable end)
            implements Closeable {
        @Override
        public void close() throws IOException {
            end.close();
        }
    }

    private List<ArchiveEntry> members(ArchiveDirectory directory, String prefix) {
        String fullPrefix = names.entryPrefix(prefix);
        return directory.members().tailMap(fullPrefix, true).values().stream()
                .takeWhile(member -> member.name().startsWith(fullPrefix))
                .sorted(Comparator.comparingLong(ArchiveEntry::header))
                .toList();
    }

    @Override
    public long count(String prefix) throws IOException {
        try (Opened archive = archives.open()) {
            return members(archive.directory(), prefix).size();
        }
    }

    @Override
    public void compare(String prefix, long first, long end, Consumer<Damage> damaged) throws IOException {
        try (Opened archive = archives.open()) {
            List<ArchiveEntry> members = members(archive.directory(), prefix);
            int last = (int) Math.min(end, members.size());
            if (first < last) {
                Window window = new Window(archive, members.get(last - 1).limit());
                for (ArchiveEntry member : members.subList((int) first, last)) {
                    compare(archive.directory(), member, window, damaged);
                }
            }
        }
    }

    private void compare(ArchiveDirectory directory, ArchiveEntry member, Window window, Consumer<Damage> damaged)
            throws IOException {
        String expected = "an entry of " + described + " with a local header at offset " + member.header();
        String actual;
        try {
            member.checkReadable();
            ByteBuffer header = ByteBuffer.allocate(EntryOffsets.headerBytes(member));
            window.read(member.header(), header.capacity(), header::put);
            long start = directory.starts().learn(member, header.flip());
            expected = "the CRC-32 " + hex(member.crc()) + " of " + member.size() + " bytes, for the entry "
                    + member.name() + " of " + described + " at offset " + start;
            actual = mismatch(member, start, window);
        } catch (StoreException e) {
            throw e; // the archive cannot be read
        } catch (ZarrException e) {
            actual = e.fact(); // only this entry is damaged
        }
        if (!actual.isEmpty()) {
            String key = member.name().substring(names.entryPrefix("").length());
            damaged.accept(new Damage(key, member.size(), expected, actual));
        }
    }

    private static String hex(int crc) {
        return HexFormat.of().toHexDigits(crc);
    }

    /**
     * Returns a description of the mismatch, such as another size or checksum; empty if the entry matches its checksum.
     */
    private static String mismatch(ArchiveEntry member, long start, Window window) throws IOException {
        RunningChecksum checksum = new RunningChecksum(member.size());
        if (member.isStored()) {
            window.read(start, member.packed(), checksum::add);
        } else {
            Inflater inflater = new Inflater(true); // raw deflate data, without a header of zlib
            byte[] buffer = new byte[PIECE];
            try {
                window.read(start, member.packed(), packed -> {
                    inflater.setInput(packed);
                    for (int count = inflater.inflate(buffer);
                            count > 0 && !checksum.isTooLong();
                            count = inflater.inflate(buffer)) {
                        checksum.add(ByteBuffer.wrap(buffer, 0, count));
                    }
                });
            } catch (DataFormatException e) {
                return "no deflated data";
            } finally {
                inflater.end();
            }
        }
        if (checksum.count != member.size()) {
            return (checksum.isTooLong() ? "more" : checksum.count) + " bytes";
        }
        int crc = (int) checksum.crc.getValue();
        return crc == member.crc() ? "" : hex(crc);
    }

    /** The checksum of the bytes so far. */
    private static final class RunningChecksum {
        private final CRC32 crc = new CRC32();
        private final long maxBytes;
        private long count;

        RunningChecksum(long maxBytes) {
            this.maxBytes = maxBytes;
        }

        boolean isTooLong() {
            return count > maxBytes;
        }

        void add(ByteBuffer bytes) {
            count += bytes.remaining();
            crc.update(bytes);
        }
    }

    /** Receives the bytes of a range, piece by piece. */
    @FunctionalInterface
    private interface PieceConsumer<E extends Exception> {
        void accept(ByteBuffer bytes) throws E;
    }

    /** A buffered part of the archive. Reads in ascending order move it forward. */
    private static final class Window {
        private final Opened archive;
        private final long end;
        private long windowStart;
        private ByteBuffer bytes = ByteBuffer.allocate(0);

        /** @param end the end of all bytes that will be read, all of which exist */
        Window(Opened archive, long end) {
            this.archive = archive;
            this.end = end;
        }

        /** Reads a range, in pieces. */
        <E extends Exception> void read(long offset, long size, PieceConsumer<E> consumer) throws IOException, E {
            for (long next = offset; next < offset + size; ) {
                if (next < windowStart || next >= windowStart + bytes.limit()) {
                    load(next);
                }
                int start = (int) (next - windowStart);
                int length = (int) Math.min(bytes.limit() - start, offset + size - next);
                consumer.accept(bytes.slice(start, length));
                next += length;
            }
        }

        private void load(long offset) throws IOException {
            if (Thread.currentThread().isInterrupted()) {
                throw new CancellationException("interrupted");
            }
            ByteRange range = new ByteRange.Slice(offset, Math.min(WINDOW, end - offset));
            if (!(await(archive.fetch().apply(range), "the archive") instanceof FetchResult.Found found)) {
                throw new StoreException("the archive was deleted while it was checked");
            }
            windowStart = offset;
            bytes = ByteBuffer.wrap(found.bytes().toArray());
        }
    }

    /** Waits for a read of {@code description}. */
    static <T> T await(CompletableFuture<T> read, String description) throws IOException {
        try {
            return read.get();
        } catch (InterruptedException e) {
            read.cancel(true);
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted");
        } catch (ExecutionException e) {
            Throwable cause = RemoteDirectory.unwrap(e.getCause());
            if (cause instanceof IOException io) {
                throw io;
            } else if (cause instanceof RuntimeException runtime) {
                throw runtime;
            }
            throw new StoreException("reading " + description + " failed: " + cause, e);
        }
    }
}
