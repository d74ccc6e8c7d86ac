package org.example.remotezip;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.StoreListener;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The central directory of a ZIP archive, which lists its entries near its end. ZIP64, the extension for large
 * archives, is not supported. The numbers in this class are offsets of fields in ZIP's records (APPNOTE.TXT of PKWARE).
 *
 * @param entries the entries by name
 * @param version the version of the archive, if its store tells one
 */
record Directory(Map<String, Entry> entries, Optional<String> version) {
    /** The size of an entry's header, without the name and the extra field. */
    static final int HEADER = 30;

    /** The size of the record at the end of the archive, without the comment that may follow. */
    private static final int END = 22;

    /** The numbers with which the records of ZIP begin. */
    private static final int END_SIGNATURE = 0x06054b50;

    private static final int ENTRY_SIGNATURE = 0x02014b50;
    private static final int HEADER_SIGNATURE = 0x04034b50;
    /** The size of the directory's record of an entry, without its name, extra field and comment. */
    private static final int ENTRY = 46;

    private static final int LONGEST_COMMENT = 0xffff;
    /** The size of the largest directory that is read. */
    private static final int LARGEST = 64 << 20;

    /**
     * An entry of the archive.
     *
     * @param header the offset of its local header
     * @param size its size in bytes, after decompression
     * @param method its compression method: 0 for none
     */
    record Entry(long header, long size, int method) {}

    /** Reads the last 64 KiB of the archive. If the directory begins before them, reads it with a second request. */
    static CompletableFuture<Directory> read(RemoteReads remote, String archive, StoreListener listener) {
        ByteRange end = new ByteRange.Suffix(END + LONGEST_COMMENT);
        return remote.fetch(archive, end, Optional.empty(), listener).thenCompose(answer -> {
            if (!(answer instanceof FetchResult.Found tail)) {
                return CompletableFuture.completedFuture(new Directory(Map.of(), Optional.empty()));
            }
            ByteBuffer bytes = ByteBuffer.wrap(tail.bytes().toArray()).order(ByteOrder.LITTLE_ENDIAN);
            int record = endRecord(bytes);
            long size = unsigned(bytes.getInt(record + 12));
            long offset = unsigned(bytes.getInt(record + 16));
            long begin = tail.objectSize() - bytes.capacity();
            if (offset == 0xffffffffL || size == 0xffffffffL) { // the numbers are in a record of ZIP64
                throw new UnsupportedException("ZIP64 archive: " + archive);
            } else if (size > LARGEST) {
                throw new UnsupportedException("expected a directory of at most " + LARGEST + " bytes, found " + size);
            } else if (offset + size > begin + record) {
                throw new CorruptDataException("the directory of the archive lies beyond its end");
            } else if (offset >= begin) {
                ByteBuffer inside = bytes.slice((int) (offset - begin), (int) size);
                return CompletableFuture.completedFuture(parse(inside, tail.version()));
            }
            return remote.fetch(archive, new ByteRange.Slice(offset, size), tail.version(), listener)
                    .thenApply(more -> {
                        if (!(more instanceof FetchResult.Found found)) {
                            throw new CorruptDataException("the archive went away: " + archive);
                        }
                        return parse(ByteBuffer.wrap(found.bytes().toArray()), tail.version());
                    });
        });
    }

    /** Returns the position of the end record: it has a signature, and its comment ends with the archive. */
    private static int endRecord(ByteBuffer bytes) {
        for (int at = bytes.capacity() - END; at >= 0; at--) {
            if (bytes.getInt(at) == END_SIGNATURE
                    && at + END + Short.toUnsignedInt(bytes.getShort(at + 20)) == bytes.capacity()) {
                return at;
            }
        }
        throw new CorruptDataException("not a ZIP archive: no end record");
    }

    /** Parses the records of the directory, one for each entry. */
    private static Directory parse(ByteBuffer records, Optional<String> version) {
        ByteBuffer in = records.order(ByteOrder.LITTLE_ENDIAN);
        Map<String, Entry> entries = new HashMap<>();
        try {
            while (in.hasRemaining()) {
                int at = in.position();
                in.position(Math.min(in.limit(), at + ENTRY));
                if (in.limit() - at < ENTRY || in.getInt(at) != ENTRY_SIGNATURE) {
                    throw new CorruptDataException("not an entry of the archive's directory: byte " + at);
                }
                byte[] name = new byte[Short.toUnsignedInt(in.getShort(at + 28))];
                in.get(name);
                // The extra field and the comment follow the name.
                int rest = Short.toUnsignedInt(in.getShort(at + 30)) + Short.toUnsignedInt(in.getShort(at + 32));
                in.get(new byte[rest]);
                entries.put(
                        new String(name, StandardCharsets.UTF_8),
                        new Entry(
                                unsigned(in.getInt(at + 42)),
                                unsigned(in.getInt(at + 24)),
                                Short.toUnsignedInt(in.getShort(at + 10))));
            }
        } catch (BufferUnderflowException e) {
            throw new CorruptDataException("the archive's directory ends early");
        }
        return new Directory(Map.copyOf(entries), version);
    }

    /** Returns the size of an entry's local header with its name. {@code found} has its first {@link #HEADER} bytes. */
    static long headerSize(String key, FetchResult.Found found) {
        ByteBuffer in = ByteBuffer.wrap(found.bytes().toArray()).order(ByteOrder.LITTLE_ENDIAN);
        if (in.getInt(0) != HEADER_SIGNATURE) {
            throw new CorruptDataException("no header of entry " + key + " where the directory says");
        }
        return HEADER + Short.toUnsignedInt(in.getShort(26)) + Short.toUnsignedInt(in.getShort(28));
    }

    private static long unsigned(int value) {
        return Integer.toUnsignedLong(value);
    }
}
