package dev.shardkit.store.cache;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Ability;
import dev.shardkit.store.BlockingListings;
import dev.shardkit.store.BlockingWrites;
import dev.shardkit.store.Copies;
import dev.shardkit.store.DeviceSync;
import dev.shardkit.store.LeftoverCleanup;
import dev.shardkit.store.Listings;
import dev.shardkit.store.Locks;
import dev.shardkit.store.ObjectLocations;
import dev.shardkit.store.Reads;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.Writes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Caches a remote store in a local folder, as ranges of versions of objects.
 *
 * <ul>
 *   <li><b>Versions.</b> Before cached ranges of an object are used, a request for one byte checks that the object
 *       still has their version. Within one read, and for half of {@link RemoteReads#freshFor}, one such request is
 *       enough. So changes of objects are detected as without a cache. Objects without versions are not cached.
 *       {@link CacheMode} has modes with fewer requests.
 *   <li><b>Requests.</b> Only bytes that are not in the folder are requested. Concurrent reads of the same range share
 *       a request.
 *   <li><b>Limit.</b> The files take at most the given number of bytes, counted in blocks of 4 KiB. The least recently
 *       used ones are removed. Each further process that writes to the folder may exceed the limit by a sixteenth.
 *   <li><b>Sharing.</b> Threads, stores and processes may use one folder at once, without locks. Files appear
 *       atomically. A killed process leaves at most temporary files, which are removed after an hour.
 *   <li><b>Trust.</b> Each file names its object, version and range, and has checksums. A file that does not match is
 *       removed, and its range is read again. Links in the folder are not followed. A folder that holds other files is
 *       refused. The checksums do not protect against a person who can write to the folder, so only its owner gets
 *       access.
 *   <li><b>Failures.</b> If the folder cannot be written (a full disk, no permission), reads still work.
 *   <li><b>Writing</b> goes to the other store, and removes the changed objects from the folder. Writers read from the
 *       other store.
 * </ul>
 *
 * Has the abilities of the other store except moving objects from other stores. Offline it only reads. Thread-safe.
 */
public final class CachedStore implements Store {
    /** The text that replaces secret parts in descriptions of stores. */
    static final String HIDDEN = "***";

    /** The abilities that do not change the content of objects, so that nothing must be removed from the folder. */
    private static final Set<Class<? extends Ability>> UNCHANGED =
            Set.of(Listings.class, BlockingListings.class, Locks.class, DeviceSync.class, LeftoverCleanup.class);

    private final Store store;
    private final CachedReads reads;
    private final Counters counters;
    private final CacheFolder folder;

    private CachedStore(Store store, CachedReads reads, Counters counters, CacheFolder folder) {
        this.store = store;
        this.reads = reads;
        this.counters = counters;
        this.folder = folder;
    }

    /**
     * Returns a store that caches its reads.
     *
     * @param store a remote store; closed with the new one
     * @param folder the folder of the cache; created by the first read
     * @param limit the maximum size of all files in bytes
     * @throws IllegalArgumentException if the store is local, its description hides a part of its location
     *     ({@link Builder#identity} is needed), or the limit is not positive
     * @throws StoreException if the folder holds other files
     */
    public static CachedStore of(Store store, Path folder, long limit) throws IOException {
        return builder(store, folder).limit(limit).open();
    }

    /** Returns a builder of such a store, with a limit of 10 GiB. */
    public static Builder builder(Store store, Path folder) {
        return new Builder(store, folder);
    }

    /** Returns the counts of this store so far. */
    public CacheMetrics metrics() {
        return counters.metrics();
    }

    /** Returns the size in bytes of the folder's files, those of all stores. Visits each file. */
    public long bytesOnDisk() {
        return folder.space().usedBytes();
    }

    /** Removes this store's objects from the folder. Other stores' objects stay. */
    public void clear() {
        reads.confirmedVersions().changeAll();
        reads.objects().dropBelow("");
    }

    @Override
    public String describe() {
        return reads.described();
    }

    @Override
    public Reads reads() {
        return reads;
    }

    @Override
    public <A extends Ability> Optional<A> find(Class<A> ability) {
        if (ability == ObjectLocations.class) {
            return store.find(ability);
        } else if (reads.mode() == CacheMode.OFFLINE) {
            return Optional.empty();
        } else if (UNCHANGED.contains(ability)) {
            return store.find(ability);
        } else if (ability == Writes.class || ability == BlockingWrites.class) {
            return store.find(Writes.class)
                    .map(writes -> writes instanceof BlockingWrites blocking
                            ? new DroppingBlockingWrites(blocking, reads)
                            : new DroppingWrites(writes, reads))
                    .filter(ability::isInstance)
                    .map(ability::cast);
        } else if (ability == TreeDeletions.class) {
            return store.find(TreeDeletions.class)
                    .map(deletions -> ability.cast(new DroppingTreeDeletions(deletions, reads)));
        } else if (ability == Copies.class) {
            return store.find(Copies.class)
                    .map(copies -> ability.cast((Copies) (sourceKey, targetKey, durability) -> {
                        try {
                            return copies.copy(sourceKey, targetKey, durability);
                        } finally {
                            reads.invalidate(targetKey);
                        }
                    }));
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        reads.close();
        store.close();
    }

    /** Settings of such a store. Not thread-safe. */
    public static final class Builder {
        private static final long USUAL_LIMIT = 10L << 30;

        private final Store store;
        private final Path folder;
        private long limit = USUAL_LIMIT;
        private CacheMode mode = CacheMode.CHECK;
        private @Nullable String identity;

        private Builder(Store store, Path folder) {
            this.store = store;
            this.folder = folder;
        }

        /** Sets the maximum size of the folder's files in bytes. */
        public Builder limit(long bytes) {
            if (bytes < 1) {
                throw new IllegalArgumentException("expected a limit of at least one byte, found " + bytes);
            }
            this.limit = bytes;
            return this;
        }

        /** Sets when the store confirms the versions of cached objects. */
        public Builder mode(CacheMode when) {
            this.mode = when;
            return this;
        }

        /**
         * Sets the name of the store's objects in the folder: stores with the same identity share them. The default is
         * the store's description. A name is required if the description hides a part of the location, such as a query
         * that may be a secret. The folder stores the name.
         */
        public Builder identity(String name) {
            this.identity = Objects.requireNonNull(name);
            return this;
        }

        /**
         * Opens the store.
         *
         * @throws IllegalArgumentException if the store is local, or its description hides a part of its location and
         *     there is no {@link #identity}
         * @throws StoreException if the folder holds other files
         */
        public CachedStore open() throws IOException {
            String description = store.describe();
            if (!(store.reads() instanceof RemoteReads remoteReads)) {
                throw new IllegalArgumentException(
                        "expected a remote store to cache, found " + description + ", which is local");
            }
            if (identity == null && description.contains(HIDDEN)) {
                throw new IllegalArgumentException("the location " + description
                        + " hides a part of itself, so two stores may look the same; give the cache an identity");
            }
            String described = "cache:" + description + (mode == CacheMode.OFFLINE ? " (offline)" : "");
            Counters counters = new Counters();
            CacheFolder cacheFolder = CacheFolder.at(folder);
            CachedObjects objects =
                    new CachedObjects(cacheFolder, identity == null ? description : identity, limit, counters);
            CachedReads reads =
                    new CachedReads(remoteReads, described, store.can(Writes.class), mode, objects, counters);
            return new CachedStore(store, reads, counters, cacheFolder);
        }
    }
}
