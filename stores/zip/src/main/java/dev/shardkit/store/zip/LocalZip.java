package dev.shardkit.store.zip;

import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectPart;
import dev.shardkit.store.ObjectSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;

/**
 * Reads the entries of an archive in a local store. Reads the directory again after the archive has changed.
 * Thread-safe.
 */
final class LocalZip implements LocalReads {
    private final LocalReads store;
    private final String archive;
    private final EntryNames names;
    private final ZipLimits limits;
    private final UnpublishedChanges changes;
    private volatile ArchiveDirectory lastDirectory = ArchiveDirectory.none(0);

    /** @param changes puts and deletes that are not in the archive yet; they hide its entries */
    LocalZip(LocalReads store, String archive, EntryNames names, ZipLimits limits, UnpublishedChanges changes) {
        this.store = store;
        this.archive = archive;
        this.names = names;
        this.limits = limits;
        this.changes = changes;
    }

    @Override
    public Optional<ObjectSnapshot> open(String key) throws IOException {
        Optional<Long> generation = EntryNames.archiveGeneration(key);
        if (generation.isPresent()) {
            return Optional.of(openArchive(generation.get()));
        }
        String name = names.entryName(key);
        Optional<Optional<ObjectSnapshot>> changed = changes.open(name);
        return changed.isPresent() ? changed.get() : stored(name);
    }

    /** Opens an entry of the archive, ignoring unpublished changes. */
    Optional<ObjectSnapshot> stored(String name) throws IOException {
        Optional<ObjectSnapshot> snapshot = store.open(archive);
        if (snapshot.isEmpty()) {
            return Optional.empty();
        }
        ObjectSnapshot object = snapshot.get();
        boolean isKept = false;
        try {
            ArchiveDirectory directory = directory(object);
            Optional<ArchiveEntry> member = directory.find(name);
            if (member.isEmpty()) {
                return Optional.empty();
            }
            ObjectSnapshot opened = open(object, directory, member.get());
            isKept = true;
            return Optional.of(opened);
        } finally {
            if (!isKept) {
                object.close();
            }
        }
    }

    private ObjectSnapshot open(ObjectSnapshot object, ArchiveDirectory directory, ArchiveEntry member)
            throws IOException {
        member.checkReadable();
        EntrySnapshots.Part packed = packed(object, directory, member);
        if (member.isStored()) {
            return new EntrySnapshots.Stored(packed, member);
        }
        EntryInflater.check(member, limits);
        return new EntrySnapshots.Deflated(packed, member);
    }

    /** Returns the bytes of an entry in their packed form. */
    static EntrySnapshots.Part packed(ObjectSnapshot object, ArchiveDirectory directory, ArchiveEntry member)
            throws IOException {
        OptionalLong knownStart = directory.starts().knownStart(member);
        long start = knownStart.isPresent() ? knownStart.getAsLong() : learn(object, directory, member);
        String version = directory.version(member).orElseThrow();
        return new EntrySnapshots.Part(object, version, start, member.packed());
    }

    private static long learn(ObjectSnapshot object, ArchiveDirectory directory, ArchiveEntry member)
            throws IOException {
        ByteBuffer header = ByteBuffer.allocate(EntryOffsets.headerBytes(member));
        object.read(member.header(), header);
        return directory.starts().learn(member, header.flip());
    }

    /** Opens the archive itself, if its directory is still the one that was read as number {@code generation}. */
    private ObjectSnapshot openArchive(long generation) throws IOException {
        ArchiveDirectory directory = lastDirectory;
        Optional<ObjectSnapshot> object = generation == directory.generation() ? store.open(archive) : Optional.empty();
        if (object.isPresent()
                && directory.version().equals(Optional.of(object.get().version()))) {
            return object.get();
        }
        if (object.isPresent()) {
            object.get().close();
        }
        forget(directory);
        throw new ObjectChangedException("the archive " + archive + " has changed while it was read");
    }

    /** Discards the directory; the next read opens the archive and reads it. */
    private synchronized void forget(ArchiveDirectory stale) {
        if (lastDirectory == stale) {
            lastDirectory = ArchiveDirectory.none(stale.generation());
        }
    }

    /** Returns the directory of an open archive. */
    ArchiveDirectory directory(ObjectSnapshot object) throws IOException {
        ArchiveDirectory cached = lastDirectory;
        return cached.version().equals(Optional.of(object.version())) ? cached : load(object);
    }

    /** Reads the directory of an open archive, unless another thread has just read it. */
    private synchronized ArchiveDirectory load(ObjectSnapshot object) throws IOException {
        if (lastDirectory.version().equals(Optional.of(object.version()))) {
            return lastDirectory;
        }
        try {
            lastDirectory = ArchiveDirectory.load(StoredArchive.of(object), limits, lastDirectory.generation() + 1)
                    .join()
                    .orElseThrow();
            return lastDirectory;
        } catch (CompletionException e) {
            if (e.getCause() instanceof IOException io) {
                throw io;
            } else if (e.getCause() instanceof RuntimeException r) {
                throw r;
            }
            throw e;
        }
    }

    /** Opens the archive; empty if there is none. */
    Optional<ObjectSnapshot> archive() throws IOException {
        return store.open(archive);
    }

    /** Opens the published archive, for the comparison of checksums. */
    EntryChecksums.Opened opened() throws IOException {
        Optional<ObjectSnapshot> snapshot = archive();
        if (snapshot.isEmpty()) {
            return new EntryChecksums.Opened(
                    ArchiveDirectory.none(0),
                    range -> {
                        throw new IllegalStateException("there is no archive");
                    },
                    () -> {});
        }
        ObjectSnapshot object = snapshot.get();
        try {
            ArchiveDirectory directory = directory(object);
            StoredArchive archive = StoredArchive.of(object);
            return new EntryChecksums.Opened(directory, range -> archive.fetch(range, Optional.empty()), object::close);
        } catch (IOException | RuntimeException e) {
            object.close();
            throw e;
        }
    }

    /** Returns the current version of the archive; empty if there is none. */
    Optional<String> version() throws IOException {
        Optional<ObjectSnapshot> snapshot = store.open(archive);
        if (snapshot.isEmpty()) {
            return Optional.empty();
        }
        try (ObjectSnapshot object = snapshot.get()) {
            return Optional.of(object.version());
        }
    }

    /** Returns the current directory; without entries if there is no archive. */
    ArchiveDirectory directory() throws IOException {
        Optional<ObjectSnapshot> found = store.open(archive);
        if (found.isEmpty()) {
            return ArchiveDirectory.none(0);
        }
        try (ObjectSnapshot object = found.get()) {
            return directory(object);
        }
    }

    /** Empty for documents: they are read as whole entries, so that their checksums are compared. */
    @Override
    public Optional<List<ObjectPart>> parts(String key) {
        return NodeDocuments.isDocument(key) ? Optional.empty() : placeOf(key);
    }

    /** Returns where the bytes of an entry are in the archive, if it is known. */
    Optional<List<ObjectPart>> placeOf(String key) {
        return EntryNames.archiveGeneration(key).isPresent() || changes.isOpen()
                ? Optional.empty()
                : partsOf(lastDirectory, names.entryName(key));
    }

    /**
     * Returns where the bytes of an entry are in the archive; empty if the entry is deflated, or its local header must
     * be read first.
     */
    static Optional<List<ObjectPart>> partsOf(ArchiveDirectory directory, String name) {
        Optional<ArchiveEntry> member = directory.find(name);
        if (member.isEmpty() || !member.get().isStored()) {
            return Optional.empty();
        }
        try {
            member.get().checkReadable();
        } catch (UnsupportedException e) {
            return Optional.empty(); // reading the entry reports the failure
        }
        OptionalLong start = directory.starts().knownStart(member.get());
        return start.isEmpty()
                ? Optional.empty()
                : Optional.of(List.of(new ObjectPart.Stored(
                        EntryNames.archiveKey(directory.generation()),
                        start.getAsLong(),
                        member.get().size(),
                        OptionalLong.empty())));
    }

    @Override
    public MergePolicy mergePolicy() {
        return store.mergePolicy();
    }
}
