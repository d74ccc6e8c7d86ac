package dev.shardkit.store.zip;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.BlockingWrites;
import dev.shardkit.store.Commits;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.filesystem.OpenFileReplacement;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The unpublished changes of a ZIP archive, in a local file. Puts append to a new file beside the archive.
 * {@link #commit} replaces the archive by that file; until then, the archive does not change. Thread-safe.
 */
final class ArchiveDraft implements UnpublishedChanges, BlockingWrites, Commits, TreeDeletions {
    /** Larger documents go to the draft file like other entries. */
    private static final long LARGEST_DOCUMENT = 1 << 20;
    /** The maximum size in bytes of all documents in memory. */
    private static final long MAX_DOCUMENTS = 32 << 20;

    private final Path archive;
    private final LocalZip published;
    private final EntryNames names;
    private final NavigableMap<String, EntryChange> changes = new ConcurrentSkipListMap<>();
    /** Its read lock is held by each change, so changes run concurrently; its write lock by commit and discard. */
    private final ReadWriteLock publishing = new ReentrantReadWriteLock();

    /** Random, so that the versions of two drafts differ. */
    private final String session = Long.toHexString(new SecureRandom().nextLong());

    private final AtomicLong versions = new AtomicLong();
    // This object's monitor guards the following fields.
    private @Nullable DraftFile file;
    /** The version of the archive on which the changes are based; null if there was no archive. */
    private @Nullable String base;

    private long documentBytes;
    /** Whether a put has asked to force the new archive to the device. */
    private boolean forced;

    ArchiveDraft(Path archive, EntryNames names, LocalZipSource published) {
        this.archive = archive;
        this.names = names;
        this.published = published.of(this);
    }

    /** Creates the reads of the archive, which look at the unpublished changes first. */
    interface LocalZipSource {
        LocalZip of(UnpublishedChanges changes);
    }

    LocalZip reads() {
        return published;
    }

    @Override
    public Set<Condition.Kind> honours() {
        return EnumSet.allOf(Condition.Kind.class);
    }

    @Override
    public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
            throws IOException {
        String name = names.entryName(key);
        publishing.readLock().lock();
        try {
            recordBase();
            return apply(name, stage(name, content), condition, durability == Durability.FORCED);
        } finally {
            publishing.readLock().unlock();
        }
    }

    @Override
    public WriteResult deleteNow(String key, Condition condition) throws IOException {
        String name = names.entryName(key);
        publishing.readLock().lock();
        try {
            recordBase();
            synchronized (this) {
                return version(name).isEmpty()
                        ? WriteResult.NOTHING
                        : apply(name, new EntryChange.Gone(), condition, false); // deletes are not forced
            }
        } finally {
            publishing.readLock().unlock();
        }
    }

    @Override
    public void reserved(String prefix, Consumer<String> consumer) throws IOException {
        ArchiveListing.reserved(published.directory().members(), sizes(), names.entryPrefix(prefix), consumer);
    }

    @Override
    public void deleteAll(String prefix) throws IOException {
        String fullPrefix = names.entryPrefix(prefix);
        publishing.readLock().lock();
        try {
            recordBase();
            synchronized (this) {
                TreeMap<String, Object> entries =
                        new TreeMap<>(published.directory().members());
                entries.putAll(changes);
                for (String name : entries.tailMap(fullPrefix, true).keySet()) {
                    if (!name.startsWith(fullPrefix)) {
                        break;
                    }
                    apply(name, new EntryChange.Gone(), Condition.ANY, false);
                }
            }
        } finally {
            publishing.readLock().unlock();
        }
    }

    /** Before the first change, records the version of the archive on which the changes are based. */
    private synchronized void recordBase() throws IOException {
        if (changes.isEmpty()) {
            base = version().orElse(null);
        }
    }

    /** Returns the current version of the archive; empty if there is none. */
    private Optional<String> version() throws IOException {
        Optional<ObjectSnapshot> snapshot = published.archive();
        if (snapshot.isEmpty()) {
            return Optional.empty();
        }
        try (ObjectSnapshot object = snapshot.get()) {
            published.directory(object); // rejects a file that is not an archive
            return Optional.of(object.version());
        }
    }

    /** Stores the content of a put: small documents in memory, other entries in the draft file. */
    private EntryChange stage(String name, Content content) throws IOException {
        String version = session + "-" + versions.incrementAndGet();
        if (isDocument(name) && content.size() <= LARGEST_DOCUMENT && reserve(content.size())) {
            return new EntryChange.Document(NodeDocuments.collect(name, content), version);
        }
        DraftFile draft = file();
        return new EntryChange.Written(draft, draft.append(name, content), version);
    }

    static boolean isDocument(String name) {
        return StoreKeys.name(name).equals(NodeDocuments.NAME);
    }

    /** Reserves memory for a document; false if the documents in memory take too much. */
    private synchronized boolean reserve(long bytes) {
        boolean fits = documentBytes + bytes <= MAX_DOCUMENTS;
        documentBytes += fits ? bytes : 0;
        return fits;
    }

    private synchronized DraftFile file() throws IOException {
        if (file == null) {
            file = DraftFile.create(DraftPaths.newDraft(archive), archive);
        }
        return file;
    }

    /**
     * Records a change if the condition holds.
     *
     * @param isForced whether the caller asked to force the new archive to the device
     */
    private synchronized WriteResult apply(String name, EntryChange next, Condition condition, boolean isForced)
            throws IOException {
        if (!(condition instanceof Condition.Any)) {
            Optional<String> expected =
                    condition instanceof Condition.Version v ? Optional.of(v.version()) : Optional.empty();
            if (!version(name).equals(expected)) {
                return WriteResult.NOT_MET;
            }
        }
        forced |= isForced;
        changes.put(name, next);
        return next.version().isPresent() ? new WriteResult.Done(next.version()) : WriteResult.DONE;
    }

    /** Returns the current version of an entry; empty if there is none. */
    private Optional<String> version(String name) throws IOException {
        Optional<EntryChange> change = Optional.ofNullable(changes.get(name));
        if (change.isPresent()) {
            return change.get().version();
        }
        ArchiveDirectory directory = published.directory();
        return directory.find(name).flatMap(directory::version);
    }

    @Override
    public Optional<Optional<ObjectSnapshot>> open(String name) throws IOException {
        if (changes.isEmpty()) {
            return Optional.empty();
        }
        publishing.readLock().lock();
        try {
            Optional<EntryChange> change = Optional.ofNullable(changes.get(name));
            return change.isEmpty() ? Optional.empty() : Optional.of(open(change.get()));
        } finally {
            publishing.readLock().unlock();
        }
    }

    private static Optional<ObjectSnapshot> open(EntryChange change) throws IOException {
        if (change instanceof EntryChange.Document d) {
            return Optional.of(new EntrySnapshots.InMemory(d.bytes(), d.entryVersion()));
        } else if (change instanceof EntryChange.Written w) {
            return Optional.of(EntrySnapshots.Written.open(
                    w.file().path(),
                    w.entryVersion(),
                    w.placed().start(),
                    w.placed().size()));
        }
        return Optional.empty();
    }

    @Override
    public NavigableMap<String, OptionalLong> sizes() {
        NavigableMap<String, OptionalLong> sizes = new TreeMap<>();
        changes.forEach((name, change) -> sizes.put(
                name,
                change instanceof EntryChange.Document d
                        ? OptionalLong.of(d.bytes().size())
                        : change instanceof EntryChange.Written w
                                ? OptionalLong.of(w.placed().size())
                                : OptionalLong.empty()));
        return sizes;
    }

    @Override
    public boolean isOpen() {
        return !changes.isEmpty();
    }

    @Override
    public void commit() throws IOException {
        publishing.writeLock().lock();
        try {
            synchronized (this) {
                if (changes.isEmpty()) {
                    return;
                }
                ArchivePublication.of(archive, published, Optional.ofNullable(base), changes, file, forced)
                        .run();
                reset();
            }
        } finally {
            publishing.writeLock().unlock();
        }
    }

    static StoreException changedByOther(Path archive) {
        return new StoreException("another program has changed the archive " + archive
                + " since this one began to write it; nothing is published");
    }

    /** Publishes the changes. Removes the draft, even after a failure. */
    void close() throws IOException {
        try {
            commit();
        } finally {
            discard();
        }
    }

    @Override
    public boolean hasChanges() {
        return !changes.isEmpty();
    }

    @Override
    public void discard() throws IOException {
        publishing.writeLock().lock();
        try {
            synchronized (this) {
                reset();
            }
        } finally {
            publishing.writeLock().unlock();
        }
    }

    /** Discards all changes and deletes the draft file. */
    private void reset() throws IOException {
        DraftFile draft = file;
        changes.clear();
        file = null;
        documentBytes = 0;
        forced = false;
        if (draft != null) {
            OpenFileReplacement.releaseBelow(draft.path()); // readers of its entries
            Files.deleteIfExists(draft.path());
        }
    }
}
