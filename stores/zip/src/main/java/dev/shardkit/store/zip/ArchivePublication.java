package dev.shardkit.store.zip;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.filesystem.OpenFileReplacement;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the changes of an archive: completes a new file and moves it over the archive. The documents of nodes come
 * first. If they fit into the space that the draft reserves at its start, the draft becomes the archive. Otherwise, or
 * if the draft is small or has many replaced entries, all entries are copied to another file. Each instance publishes
 * once.
 */
final class ArchivePublication {
    /** A draft of at most this size in bytes is copied, because padding would make up much of the archive. */
    private static final long SMALL = 1 << 20;
    /**
     * A draft above this size in bytes is not copied if only some documents fit into the reserved space. The others
     * then come last.
     */
    private static final long LARGE = 4L << 30;

    /** Larger documents are treated like other entries. */
    private static final long LARGEST_DOCUMENT = 1 << 20;

    private final Path archive;
    private final boolean forced;
    private final @Nullable DraftFile draft;
    private final NavigableMap<String, Bytes> documents = new TreeMap<>(NodeDocuments.ORDER);
    private final List<PlacedEntry> written = new ArrayList<>();
    private final List<ArchiveEntry> keptEntries = new ArrayList<>();
    private final LocalZip published;
    private final @Nullable ObjectSnapshot base;
    private final ArchiveDirectory directory;

    private ArchivePublication(
            Path archive,
            @Nullable DraftFile draft,
            boolean forced,
            LocalZip published,
            @Nullable ObjectSnapshot base,
            ArchiveDirectory directory) {
        this.archive = archive;
        this.published = published;
        this.draft = draft;
        this.forced = forced;
        this.base = base;
        this.directory = directory;
    }

    /** A task on files, which may fail. */
    interface Task {
        void run() throws IOException;
    }

    /**
     * Returns the whole publication, as a task that the caller runs.
     *
     * @param published the published archive
     * @param version the version of the archive on which the changes are based; empty if there was none
     * @param draft holds the entries that were written
     * @param forced whether the new archive must be forced to the device
     */
    static Task of(
            Path archive,
            LocalZip published,
            Optional<String> version,
            Map<String, EntryChange> changes,
            @Nullable DraftFile draft,
            boolean forced) {
        return () -> {
            ObjectSnapshot base = published.archive().orElse(null);
            try {
                if (!Optional.ofNullable(base).map(ObjectSnapshot::version).equals(version)) {
                    throw ArchiveDraft.changedByOther(archive);
                }
                ArchiveDirectory directory = base == null ? ArchiveDirectory.none(0) : published.directory(base);
                ArchivePublication publication =
                        new ArchivePublication(archive, draft, forced, published, base, directory);
                publication.addChanges(changes);
                publication.run();
            } catch (ObjectChangedException e) {
                // Only on Windows: elsewhere, an open archive stays readable after it was replaced.
                throw ArchiveDraft.changedByOther(archive);
            } finally {
                if (base != null) {
                    base.close();
                }
            }
        };
    }

    /** Sorts the entries by their source: documents, the draft, the old archive. */
    private void addChanges(Map<String, EntryChange> changes) throws IOException {
        changes.forEach((name, change) -> {
            if (change instanceof EntryChange.Document d) {
                documents.put(name, d.bytes());
            } else if (change instanceof EntryChange.Written w) {
                written.add(w.placed());
            }
        });
        written.sort(Comparator.comparingLong(PlacedEntry::header));
        for (ArchiveEntry member : directory.members().values()) {
            if (!changes.containsKey(member.name())) {
                member.checkReadable();
                if (ArchiveDraft.isDocument(member.name()) && member.size() <= LARGEST_DOCUMENT) {
                    documents.put(member.name(), bytes(member));
                } else {
                    keptEntries.add(member);
                }
            }
        }
        keptEntries.sort(Comparator.comparingLong(ArchiveEntry::header));
    }

    /** Returns the unpacked bytes of an entry of the old archive. */
    private Bytes bytes(ArchiveEntry member) throws IOException {
        EntrySnapshots.Part packedPart = LocalZip.packed(Objects.requireNonNull(base), directory, member);
        ByteBuffer packed = ByteBuffer.allocate(Math.toIntExact(packedPart.size()));
        packedPart.read(0, packed);
        if (member.isStored()) {
            return Bytes.of(packed.flip());
        }
        EntryInflater.check(member, ZipLimits.DEFAULT);
        return EntryInflater.inflate(member, packed.flip());
    }

    /** Writes the new archive and replaces the old one. */
    private void run() throws IOException {
        if (documents.isEmpty() && written.isEmpty() && keptEntries.isEmpty()) {
            // A store without objects has no archive.
            replace(() -> change(() -> Files.deleteIfExists(archive)));
            return;
        }
        int leadingCount = leadingCount();
        boolean inPlace = draft != null && isKept(draft, leadingCount);
        Path target = inPlace ? draft.path() : DraftPaths.newDraft(archive);
        boolean isPublished = false;
        try {
            StandardOpenOption mode = inPlace ? StandardOpenOption.WRITE : StandardOpenOption.CREATE_NEW;
            try (FileChannel out = FileChannel.open(target, mode, StandardOpenOption.WRITE)) {
                complete(new ArchiveWriter(out), inPlace ? leadingCount : documents.size(), inPlace);
                if (forced) {
                    out.force(true);
                }
            }
            replace(() -> move(target));
            isPublished = true;
        } finally {
            if (!isPublished && !inPlace) {
                Files.deleteIfExists(target);
            }
        }
    }

    /**
     * Returns whether the draft becomes the archive; otherwise its entries are copied. The draft must not be small, and
     * at most half of it may belong to replaced entries. All documents must fit into its reserved space; if it is too
     * large to copy, one document is enough.
     */
    private boolean isKept(DraftFile file, int leadingCount) {
        long usedBytes = file.end() - DraftFile.RESERVED;
        long liveBytes = written.stream().mapToLong(p -> p.end() - p.header()).sum();
        return leadingCount > 0
                && usedBytes > SMALL
                && usedBytes - liveBytes <= liveBytes
                && (leadingCount == documents.size() || usedBytes > LARGE);
    }

    /**
     * Returns how many documents, from the first on, fit into the reserved space. A gap of 1 to 3 bytes cannot be
     * padded, because the header of an extra field takes 4.
     */
    private int leadingCount() {
        int count = 0;
        int fitting = 0;
        long size = 0;
        for (Map.Entry<String, Bytes> document : documents.entrySet()) {
            PlacedEntry placed = ArchiveWriter.document(document.getKey(), document.getValue(), 0);
            size += placed.headerSize() + placed.size();
            long gap = DraftFile.RESERVED - size;
            if (gap < 0) {
                break;
            }
            count++;
            fitting = gap == 0 || gap >= 4 ? count : fitting;
        }
        return fitting;
    }

    /**
     * Writes the entries that {@code out} lacks, and the directory.
     *
     * @param leadingCount the number of documents that come first
     * @param inPlace whether {@code out} writes into the draft
     */
    private void complete(ArchiveWriter out, int leadingCount, boolean inPlace) throws IOException {
        int count = 0;
        for (Map.Entry<String, Bytes> document : documents.entrySet()) {
            count++;
            if (inPlace && count == leadingCount) {
                out.addLastBefore(DraftFile.RESERVED, document.getKey(), document.getValue());
            } else {
                if (inPlace && count == leadingCount + 1) {
                    out.moveTo(Objects.requireNonNull(draft).end());
                }
                out.add(document.getKey(), document.getValue());
            }
        }
        if (inPlace) {
            out.addInPlace(written, Objects.requireNonNull(draft).end());
        } else if (!written.isEmpty()) {
            try (FileChannel draftChannel =
                    FileChannel.open(Objects.requireNonNull(draft).path(), StandardOpenOption.READ)) {
                for (PlacedEntry placed : written) {
                    out.copy(placed, draftChannel);
                }
            }
        }
        for (ArchiveEntry member : keptEntries) {
            out.copy(member, LocalZip.packed(Objects.requireNonNull(base), directory, member));
        }
        // RFC-9 of OME-Zarr recommends stored entries, documents first, and an archive comment that says so.
        boolean followsRfc9 =
                leadingCount == documents.size() && keptEntries.stream().allMatch(ArchiveEntry::isStored);
        Optional<byte[]> comment = followsRfc9
                ? Optional.ofNullable(documents.get(NodeDocuments.NAME)).flatMap(NodeDocuments::comment)
                : Optional.empty();
        out.finish(comment.orElse(new byte[0]));
    }

    /** Replaces the archive if no other writer has changed it since these changes began. */
    private void replace(Task replacement) throws IOException {
        Files.createDirectories(archive.toAbsolutePath().getParent());
        ArchiveLock lock = ArchiveLock.acquire(archive);
        try {
            if (!published.version().equals(Optional.ofNullable(base).map(ObjectSnapshot::version))) {
                throw ArchiveDraft.changedByOther(archive);
            }
            replacement.run();
        } finally {
            lock.close();
        }
        forceFolder();
    }

    private void move(Path target) throws IOException {
        OpenFileReplacement.releaseBelow(target); // readers of entries that were written
        try {
            change(() -> Files.move(target, archive, StandardCopyOption.ATOMIC_MOVE));
        } catch (AtomicMoveNotSupportedException e) {
            change(() -> Files.move(target, archive, StandardCopyOption.REPLACE_EXISTING));
        }
    }

    private void change(OpenFileReplacement.Change change) throws IOException {
        OpenFileReplacement.change(
                Files.exists(archive) ? archive.toRealPath() : archive, OpenFileReplacement.PATIENCE, change);
    }

    /** Forces the folder to the device, so that the replacement survives a crash of the system. */
    private void forceFolder() {
        if (forced) {
            try (FileChannel folder = FileChannel.open(archive.toAbsolutePath().getParent())) {
                folder.force(true);
            } catch (IOException e) {
                System.getLogger("dev.shardkit.store.zip")
                        .log(System.Logger.Level.DEBUG, "this file system forces no folders", e);
            }
        }
    }
}
