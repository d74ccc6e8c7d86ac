package dev.shardkit.store.zip;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Ability;
import dev.shardkit.store.FarReads;
import dev.shardkit.store.Lists;
import dev.shardkit.store.Locates;
import dev.shardkit.store.NearReads;
import dev.shardkit.store.ObjectPart;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Snapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.Writes;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.internal.Keys;
import dev.shardkit.store.internal.SnapshotReads;
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

/**
 * The store of a ZIP archive, which is an object of any other store.
 *
 * <ul>
 *   <li><b>Reading.</b> The archive is not downloaded. Its directory takes one request, or two if it is larger than 64
 *       KiB. A stored entry is a range of the archive ({@link Reads#parts}), so neighbouring entries and parts of
 *       shards are read as ranges. A deflated entry is read whole. ZIP64 is supported.
 *   <li><b>Refused archives.</b> Encrypted entries, archives in several files, overlapping entries, names that are no
 *       keys, several entries of one name, and anything that contradicts the size of the archive. Memory follows the
 *       bytes that exist; sizes that the archive claims are limits only.
 *   <li><b>Writing</b> is possible if the archive is a local file. Entries are stored, not deflated, and appended to a
 *       new file beside the archive. {@link #commit} and {@link #close} make that file the archive, in one step. Until
 *       then other readers see the old archive, and after a crash it is still whole. With
 *       {@link dev.shardkit.store.Durability#FORCED} in any put, the new archive is forced to the device. If another
 *       program has changed the archive in the meantime, publishing fails.
 *   <li><b>Order.</b> The documents of nodes ({@code zarr.json}) come first, breadth first, and there always are
 *       records of ZIP64, as RFC-9 of OME-Zarr recommends for {@code .ozx} files. If the root is of OME-Zarr, the
 *       archive's comment says so.
 * </ul>
 *
 * Thread-safe. Two stores of one archive do not see each other's changes before these are published.
 */
public final class ZipStore implements Store {
    private final Store store;
    private final String archive;
    private final String described;
    private final EntryNames names;
    private final Reads reads;
    private final Lists lists;
    private final Optional<Draft> draft;

    private ZipStore(
            Builder builder, String described, EntryNames names, Reads reads, Lists lists, Optional<Draft> draft) {
        this.store = builder.store;
        this.archive = builder.archive;
        this.described = described;
        this.names = names;
        this.reads = reads;
        this.lists = lists;
        this.draft = draft;
    }

    /**
     * Returns a builder of a store of an archive.
     *
     * @param store the store in which the archive is; closed with the store that is built
     * @param archive the key of the archive there
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
     * Publishes what was written: makes it part of the archive, in one step. A no-op if nothing was written.
     *
     * @throws StoreException if another program has changed the archive since the first write; nothing is published,
     *     and what was written can still be read here
     */
    public void commit() throws IOException {
        if (draft.isPresent()) {
            draft.get().publish();
        }
    }

    /** Discards what was written since the last {@link #commit}. The archive stays as it is. */
    public void discard() throws IOException {
        if (draft.isPresent()) {
            draft.get().discard();
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
        } else if (draft.filter(ability::isInstance).isPresent()) {
            return draft.map(ability::cast);
        } else if (ability == Locates.class) {
            return store.find(Locates.class).map(inner -> ability.cast((Locates) key -> locate(inner, key)));
        }
        return Optional.empty();
    }

    /** A stored entry lies in one place; where a deflated one lies helps no other program. */
    private Optional<Locates.Place> locate(Locates inner, String key) {
        String name = names.full(key);
        Optional<List<ObjectPart>> parts = reads.parts(key);
        if (parts.isEmpty() && reads instanceof NearZip near && !isChanged()) {
            try {
                near.stored(name).ifPresent(ZipStore::closed); // reads the directory and the local header
            } catch (IOException | ZarrException e) {
                return Optional.empty();
            }
            parts = reads.parts(key);
        }
        return parts.flatMap(p -> p.get(0) instanceof ObjectPart.Stored s
                ? inner.locate(archive).map(at -> new Locates.Place(at.uri(), at.offset() + s.offset()))
                : Optional.empty());
    }

    private boolean isChanged() {
        return draft.filter(Draft::isOpen).isPresent();
    }

    private static void closed(Snapshot snapshot) {
        try {
            snapshot.close();
        } catch (IOException e) {
            throw new StoreException("closing an entry of an archive failed: " + e, e);
        }
    }

    /**
     * Publishes what was written, and closes the store of the archive.
     *
     * @throws StoreException if publishing fails; then the archive is as it was
     */
    @Override
    public void close() {
        try {
            if (draft.isPresent()) {
                draft.get().close();
            }
        } catch (IOException e) {
            throw new StoreException("publishing " + described + " failed, it is as it was: " + e, e);
        } finally {
            store.close();
        }
    }

    /** Settings of such a store. Not thread-safe. */
    public static final class Builder {
        private final Store store;
        private final String archive;
        private String root = "";
        private ZipLimits limits = ZipLimits.DEFAULT;

        private Builder(Store store, String archive) {
            this.store = store;
            this.archive = archive;
        }

        /** Shows only the entries below {@code path}, as the root. */
        public Builder below(String path) {
            root = path.replaceAll("^/+|/+$", "");
            Keys.prefixParts(root);
            return this;
        }

        /** The largest directory of an archive, in bytes; 128 MiB by default, which is over a million entries. */
        public Builder mostDirectoryBytes(long bytes) {
            limits = new ZipLimits(
                    Math.min(bytes, SnapshotReads.MOST), limits.unpackedBytes(), limits.lastOfDuplicates());
            return this;
        }

        /** The largest deflated entry, in bytes when unpacked; 256 MiB by default. Stored entries have no limit. */
        public Builder mostUnpackedBytes(long bytes) {
            limits = new ZipLimits(
                    limits.directoryBytes(), Math.min(bytes, SnapshotReads.MOST - 1), limits.lastOfDuplicates());
            return this;
        }

        /**
         * Reads the last of several entries of one name, as zarr-python does; by default such an archive is refused,
         * since programs differ in which entry they read.
         */
        public Builder lastOfDuplicates() {
            limits = new ZipLimits(limits.directoryBytes(), limits.unpackedBytes(), true);
            return this;
        }

        /**
         * Opens the store. Reads the directory of an archive in a far store; that of a local one is read by the first
         * call that needs it.
         */
        public ZipStore open() throws IOException {
            Keys.parts(archive);
            EntryNames names = new EntryNames(root);
            String folder = store.describe();
            String described = "zip:" + folder + (folder.endsWith("/") || folder.endsWith("!") ? "" : "/") + archive;
            String place = root.isEmpty() ? described : described + "!" + root;
            if (store.reads() instanceof FarReads far) {
                FarZip reads = new FarZip(far, archive, described, names, limits);
                awaitDirectory(reads, described);
                return new ZipStore(this, place, names, reads, new Listing.Far(reads, names), Optional.empty());
            }
            NearReads near = (NearReads) store.reads();
            Optional<Path> file = file();
            Optional<Draft> draft = file.map(
                    path -> new Draft(path, names, changes -> new NearZip(near, archive, names, limits, changes)));
            NearZip reads =
                    draft.map(Draft::reads).orElseGet(() -> new NearZip(near, archive, names, limits, Changes.NONE));
            Changes changes = draft.<Changes>map(d -> d).orElse(Changes.NONE);
            return new ZipStore(this, place, names, reads, new Listing.Near(reads, names, changes), draft);
        }

        /** The file of the archive, if it is one and its store can be written. */
        private Optional<Path> file() throws IOException {
            Optional<Locates.Place> place = store.can(Writes.class)
                    ? store.find(Locates.class).flatMap(l -> l.locate(archive))
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

        private static void awaitDirectory(FarZip reads, String described) throws IOException {
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
