package dev.shardkit.store.zip;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.ObjectChangedException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The directory of one version of an archive. Immutable, except that {@code starts} learns from local headers.
 * Thread-safe.
 *
 * @param members the entries by key
 * @param version the version of the archive, if its store has versions
 * @param generation distinguishes the directories that one store has read
 * @param starts the offsets of the entries' bytes
 */
record ArchiveDirectory(
        NavigableMap<String, ArchiveEntry> members, Optional<String> version, long generation, EntryOffsets starts) {
    /** Returns the directory of an archive that does not exist yet. */
    static ArchiveDirectory none(long generation) {
        return new ArchiveDirectory(Collections.emptyNavigableMap(), Optional.empty(), generation, new EntryOffsets());
    }

    Optional<ArchiveEntry> find(String name) {
        return Optional.ofNullable(members.get(name));
    }

    /** Returns the version of an entry. */
    Optional<String> version(ArchiveEntry member) {
        return version.map(v -> v + "@" + member.header());
    }

    /** Reads the directory, with one request if it is small, else with two. Returns empty if there is no archive. */
    static CompletableFuture<Optional<ArchiveDirectory>> load(
            StoredArchive archive, ZipLimits limits, long generation) {
        return archive.fetch(new ByteRange.Suffix(EndRecord.TAIL), Optional.empty())
                .thenCompose(fetched -> fetched instanceof FetchResult.Found tail
                        ? new Loading(archive, limits, generation, tail).read().thenApply(Optional::of)
                        : CompletableFuture.completedFuture(Optional.empty()));
    }

    /** One attempt to read the directory, given the last bytes of the archive. */
    private record Loading(StoredArchive archive, ZipLimits limits, long generation, FetchResult.Found found) {
        CompletableFuture<ArchiveDirectory> read() {
            ByteBuffer tail = littleEndian(found);
            int record = EndRecord.find(tail);
            long begin = found.objectSize() - tail.limit();
            // The offset of the ZIP64 record in the archive; -1 if there is none.
            long zip64 = EndRecord.large(tail, record);
            if (zip64 < 0) {
                return directory(EndRecord.read(tail, record), begin + record, tail);
            }
            long maxOffset = begin + record - EndRecord.LOCATOR - EndRecord.LARGE;
            if (zip64 > maxOffset) {
                throw new CorruptDataException(
                        "the archive's ZIP64 record: expected an offset of at most " + maxOffset + ", found " + zip64);
            }
            if (zip64 >= begin) {
                ByteBuffer inside =
                        tail.slice((int) (zip64 - begin), EndRecord.LARGE).order(ByteOrder.LITTLE_ENDIAN);
                return directory(EndRecord.readLarge(inside, tail, record), zip64, tail);
            }
            return fetch(zip64, EndRecord.LARGE)
                    .thenCompose(record64 -> directory(EndRecord.readLarge(record64, tail, record), zip64, tail));
        }

        /**
         * Reads the directory that {@code end} describes. Takes its last part from {@code tail} and fetches the rest.
         *
         * @param endRecords the offset of the end records, which follow the directory
         */
        private CompletableFuture<ArchiveDirectory> directory(EndRecord end, long endRecords, ByteBuffer tail) {
            end.check(endRecords);
            if (end.size() > limits.directoryBytes()) {
                throw new UnsupportedException("expected an archive with a directory of at most "
                        + limits.directoryBytes() + " bytes, found " + end.size());
            }
            long begin = found.objectSize() - tail.limit();
            if (end.offset() >= begin) {
                return CompletableFuture.completedFuture(
                        parsed(tail.slice((int) (end.offset() - begin), (int) end.size()), end));
            }
            long missing = Math.min(end.size(), begin - end.offset());
            return fetch(end.offset(), missing).thenApply(beginning -> {
                ByteBuffer directoryRecords = ByteBuffer.allocate((int) end.size());
                directoryRecords.put(beginning).put(tail.slice(0, (int) (end.size() - missing)));
                return parsed(directoryRecords.flip(), end);
            });
        }

        private ArchiveDirectory parsed(ByteBuffer records, EndRecord end) {
            NavigableMap<String, ArchiveEntry> members =
                    DirectoryParser.parse(records.order(ByteOrder.LITTLE_ENDIAN), end, limits);
            return new ArchiveDirectory(
                    Collections.unmodifiableNavigableMap(members), found.version(), generation, new EntryOffsets());
        }

        /** Fetches a range of the archive; fails if it is no longer the version of {@code found}. */
        private CompletableFuture<ByteBuffer> fetch(long offset, long size) {
            return archive.fetch(new ByteRange.Slice(offset, size), found.version())
                    .thenApply(fetched -> {
                        if (fetched instanceof FetchResult.Found part
                                && part.version().equals(found.version())
                                && part.objectSize() == found.objectSize()) {
                            return littleEndian(part);
                        }
                        throw new ObjectChangedException("the archive has changed while its directory was read");
                    });
        }

        private static ByteBuffer littleEndian(FetchResult.Found found) {
            return ByteBuffer.wrap(found.bytes().toArray()).order(ByteOrder.LITTLE_ENDIAN);
        }
    }
}
