package dev.shardkit.store.zip;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Ability;
import dev.shardkit.store.Listings;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.ObjectLocations;
import dev.shardkit.store.ObjectPart;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Reads;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoredChecksums;
import dev.shardkit.store.Writes;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.keys.Keys;
import dev.shardkit.store.objects.LocalFetches;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A ZIP archive as a store: each entry is an object. The archive itself is an object of any other store.
 *
 * <ul>
 *   <li><b>Reading.</b> The archive is not downloaded. Its directory takes one request, or two if it is larger than 64
 *       KiB. A stored entry is a range of the archive ({@link Reads#parts}), so parts of shards are read as ranges, and
 *       reads of neighbouring entries are merged. A deflated entry is read whole. ZIP64 is supported.
 *   <li><b>Refused archives.</b> Encrypted entries, archives in several files, overlapping entries, names that are not
 *       valid keys, several entries with one name, and offsets or sizes that do not fit into the archive. Memory grows
 *       with the bytes that exist, not with the sizes that the archive claims.
 *   <li><b>Writing</b> is possible if the archive is a local file. Entries are stored, not deflated, and appended to a
 *       new file beside the archive. {@link #commit} and {@link #close} replace the archive by that file in one step.
 *       Until then, other readers see the old archive, and a crash does not damage it. With
 *       {@link dev.shardkit.store.policy.Durability#FORCED} in any put, the new archive is forced to the device. If
 *       another program has changed the archive in the meantime, publishing fails.
 *   <li><b>Order.</b> The documents of nodes ({@code zarr.json}) come first, breadth first, and there are always ZIP64
 *       records, as RFC-9 of OME-Zarr recommends for {@code .ozx} files. If the root is OME-Zarr, the archive comment
 *       says so.
 * </ul>
 *
 * Thread-safe. Two stores of one archive do not see each other's changes until they are published.
 */
public final class ZipStore implements Store {
    private final Store store;
    private final String archive;
    private final String described;
    private final EntryNames names;
    private final Reads reads;
    private final Listings lists;
    private final @Nullable ArchiveDraft draft;
    private final StoredChecksums checksums;

    private ZipStore(
            Builder builder,
            String described,
            EntryNames names,
            Reads reads,
            Listings lists,
            @Nullable ArchiveDraft draft) {
        this.store = builder.store;
        this.archive = builder.archive;
        this.described = described;
        this.names = names;
        this.reads = reads;
        this.lists = lists;
        this.draft = draft;
        this.checksums = new EntryChecksums(
                () -> reads instanceof LocalZip local
                        ? local.opened()
                        : EntryChecksums.await(((RemoteZip) reads).opened(), "the directory of " + described),
                names,
                "zip:" + StoreKeys.location(store.describe(), archive));
    }

    /**
     * Returns a builder for the store of an archive.
     *
     * @param store the store of the archive; closed together with the new store
     * @param archive the key of the archive in that store
     */
    public static Builder builder(Store store, String archive) {
        return new Builder(store, archive);
    }

    /** Opens the archive in a local file, which need not exist yet. */
    public static ZipStore at(Path archive) throws IOException {
        Path file = archive.toAbsolutePath().normalize();
        return builder(FileStore.at(file.getParent()), file.getFileName().toString())
                .open();
    }

    /**
     * Publishes all changes in one step. A no-op if there are none.
     *
     * @throws StoreException if another program has changed the archive since the first write; nothing is published,
     *     and the changes can still be read through this store
     */
    public void commit() throws IOException {
        if (draft != null) {
            draft.commit();
        }
    }

    /** Discards all changes since the last {@link #commit}. The archive does not change. */
    public void discard() throws IOException {
        if (draft != null) {
            draft.discard();
        }
    }

    @Override
    public String describe() {
        return described;
    }

    @Override
    public Reads reads() {
        return reads;
    }

    @Override
    public <A extends Ability> Optional<A> find(Class<A> ability) {
        if (ability.isInstance(lists)) {
            return Optional.of(ability.cast(lists));
        } else if (ability.isInstance(draft)) {
            return Optional.of(ability.cast(draft));
        } else if (ability == StoredChecksums.class) {
            return Optional.of(ability.cast(checksums));
        } else if (ability == ObjectLocations.class) {
            return store.find(ObjectLocations.class)
                    .map(inner -> ability.cast((ObjectLocations) key -> locate(inner, key)));
        }
        return Optional.empty();
    }

    /**
     * Locates an entry in the archive. Only stored entries have a location, because other programs cannot use deflated
     * bytes directly.
     */
    private Optional<ObjectLocations.Location> locate(ObjectLocations inner, String key) {
        String name = names.entryName(key);
        Optional<List<ObjectPart>> parts = placeOf(key);
        if (parts.isEmpty() && reads instanceof LocalZip local && !isChanged()) {
            try {
                // Opening the entry reads the directory and the local header, which say where the entry's bytes are.
                local.stored(name).ifPresent(ZipStore::closed);
            } catch (IOException | ZarrException e) {
                return Optional.empty();
            }
            parts = placeOf(key);
        }
        return parts.flatMap(p -> p.get(0) instanceof ObjectPart.Stored s
                ? inner.locate(archive).map(at -> new ObjectLocations.Location(at.uri(), at.offset() + s.offset()))
                : Optional.empty());
    }

    private Optional<List<ObjectPart>> placeOf(String key) {
        return reads instanceof LocalZip local ? local.placeOf(key) : ((RemoteZip) reads).placeOf(key);
    }

    private boolean isChanged() {
        return draft != null && draft.isOpen();
    }

    private static void closed(ObjectSnapshot snapshot) {
        try {
            snapshot.close();
        } catch (IOException e) {
            throw new StoreException("closing an entry of an archive failed: " + e, e);
        }
    }

    /**
     * Publishes all changes and closes the store of the archive. try-with-resources therefore publishes after a failure
     * too: catch it inside and call {@link #discard} to keep the old archive.
     *
     * @throws StoreException if publishing fails, for example because another program has changed the archive. The
     *     archive is then as it was, and the changes of this store are discarded
     */
    @Override
    public void close() {
        try {
            if (draft != null) {
                draft.close();
            }
        } catch (IOException e) {
            throw new StoreException("publishing " + described + " failed; the archive is unchanged: " + e, e);
        } finally {
            store.close();
        }
    }

    /** Builds a store. Not thread-safe. */
    public static final class Builder {
        private final Store store;
        private final String archive;
        private String root = "";
        private ZipLimits limits = ZipLimits.DEFAULT;

        private Builder(Store store, String archive) {
            this.store = store;
            this.archive = archive;
        }

        /** Makes {@code path} in the archive the root of the store. */
        public Builder below(String path) {
            root = path.replaceAll("^/+|/+$", "");
            Keys.checkPrefix(root);
            return this;
        }

        /** Sets the largest accepted directory in bytes. The default, 128 MiB, is enough for a million entries. */
        public Builder maxDirectoryBytes(long bytes) {
            limits =
                    new ZipLimits(Math.min(bytes, LocalFetches.MAX), limits.unpackedBytes(), limits.lastOfDuplicates());
            return this;
        }

        /**
         * Sets the largest accepted deflated entry in bytes after unpacking; 256 MiB by default. Stored entries have no
         * limit.
         */
        public Builder maxUnpackedBytes(long bytes) {
            limits = new ZipLimits(
                    limits.directoryBytes(), Math.min(bytes, LocalFetches.MAX - 1), limits.lastOfDuplicates());
            return this;
        }

        /**
         * Reads the last of several entries with one name, as zarr-python does. By default such an archive is refused,
         * because programs differ in which entry they read.
         */
        public Builder lastOfDuplicates() {
            limits = new ZipLimits(limits.directoryBytes(), limits.unpackedBytes(), true);
            return this;
        }

        /**
         * Opens the store. Reads the directory of a remote archive now, and that of a local archive when a call first
         * needs it.
         */
        public ZipStore open() throws IOException {
            Keys.check(archive);
            EntryNames names = new EntryNames(root);
            String folder = store.describe();
            String described = "zip:" + StoreKeys.location(folder, archive);
            String place = root.isEmpty() ? described : described + "!" + root;
            if (store.reads() instanceof RemoteReads remote) {
                RemoteZip reads = new RemoteZip(remote, archive, described, names, limits);
                awaitDirectory(reads, described);
                return new ZipStore(this, place, names, reads, new ArchiveListing.Remote(reads, names), null);
            }
            LocalReads local = (LocalReads) store.reads();
            Optional<Path> file = file();
            Optional<ArchiveDraft> draft = file.map(path ->
                    new ArchiveDraft(path, names, changes -> new LocalZip(local, archive, names, limits, changes)));
            LocalZip reads = draft.map(ArchiveDraft::reads)
                    .orElseGet(() -> new LocalZip(local, archive, names, limits, UnpublishedChanges.NONE));
            UnpublishedChanges changes = draft.<UnpublishedChanges>map(d -> d).orElse(UnpublishedChanges.NONE);
            return new ZipStore(
                    this, place, names, reads, new ArchiveListing.Local(reads, names, changes), draft.orElse(null));
        }

        /** Returns the file of the archive, if it is a file in a writable store. */
        private Optional<Path> file() throws IOException {
            Optional<ObjectLocations.Location> place = store.can(Writes.class)
                    ? store.find(ObjectLocations.class).flatMap(l -> l.locate(archive))
                    : Optional.empty();
            if (place.isEmpty() || place.get().offset() != 0) {
                return Optional.empty();
            }
            URI uri = place.get().uri();
            try {
                Path path = Path.of(uri);
                if (!path.getFileSystem().equals(FileSystems.getDefault())) {
                    return Optional.empty();
                }
                return Optional.of(Files.isSymbolicLink(path) ? path.toRealPath() : path);
            } catch (FileSystemNotFoundException | IllegalArgumentException e) {
                return Optional.empty();
            }
        }

        /** Waits for the directory, so that opening the store fails if the archive cannot be read. */
        private static void awaitDirectory(RemoteZip reads, String described) throws IOException {
            try {
                reads.directory().get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StoreException("interrupted while reading the directory of " + described, e);
            } catch (ExecutionException | CompletionException e) {
                if (e.getCause() instanceof ZarrException z) {
                    throw z;
                } else if (e.getCause() instanceof IOException io) {
                    throw io;
                }
                throw new StoreException("reading the directory of " + described + " failed: " + e.getCause(), e);
            }
        }
    }
}
