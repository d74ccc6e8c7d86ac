package dev.shardkit.store;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.error.UnsupportedException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A store whose calls return when they are done: files, memory. Only {@link #open} must be there; a store that can
 * write overrides the rest, whose defaults say that it cannot.
 *
 * <p>An {@link IOException} is any failure; absence is never one. Thread-safe.
 */
public non-sealed interface BlockingStore extends Store {
    /** The object under {@code key} as it is now; empty if there definitely is none. */
    Optional<Snapshot> open(String key) throws IOException;

    /**
     * As {@link #open}, for a writer who holds the object's lock, or owns the object: it does not wait for a patch that
     * was cut short, or that another owner has under way.
     */
    default Optional<Snapshot> openToChange(String key) throws IOException {
        return open(key);
    }

    /**
     * The version of the object under {@code key}, as a snapshot that {@link #openToChange} gives now would tell it;
     * empty if there definitely is none.
     */
    default Optional<String> version(String key) throws IOException {
        Optional<Snapshot> found = openToChange(key);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        try (Snapshot object = found.get()) {
            return Optional.of(object.version());
        }
    }

    /**
     * Makes {@code content} the value of {@code key}: readers see the old value or the new one, never a mixture, unless
     * {@code durability} is {@link Durability#NONE}.
     */
    default void put(String key, Content content, Durability durability) throws IOException {
        throw unsupported("write");
    }

    /**
     * Makes the value of {@code from} that of {@code to} too, at once; by default a copy. Where a store gives one
     * object two names, a change in place (not a put) through one of them shows under the other as long as both are
     * there.
     *
     * @return whether there was a value
     */
    default boolean link(String from, String to, Durability durability) throws IOException {
        Optional<Snapshot> found = open(from);
        if (found.isEmpty()) {
            return false;
        }
        try (Snapshot object = found.get()) {
            put(to, Content.of(object), durability);
        }
        return true;
    }

    /**
     * Sees to it that all below {@code prefix} is on the device, whatever it was put with; for stores with
     * {@link Capability#FORCE}. For many objects that matter together it takes far less than to force each as it is
     * put.
     */
    default void force(String prefix) throws IOException {
        throw unsupported("force");
    }

    /** Removes {@code key}; whether it was there. */
    default boolean delete(String key) throws IOException {
        throw unsupported("delete");
    }

    /**
     * Removes all keys below {@code prefix}, with what the store itself keeps there (locks, temporary files). Waits for
     * the locks that others hold there, a minute at most: what such a holder has put is removed too, and a lock that is
     * taken afterwards has another {@link Lock#generation}.
     */
    default void deleteAll(String prefix) throws IOException {
        throw unsupported("delete");
    }

    /**
     * Locks one object against other writers, in this process and others. Reading needs no lock.
     *
     * @param array the key of the array's node, below which lock files may lie
     * @param key the object
     * @param patience how long to wait
     * @throws dev.shardkit.spi.error.StoreException if another holds it for longer
     */
    default Lock lock(String array, String key, Duration patience) throws IOException {
        throw unsupported("lock");
    }

    /** What it can do for writers, beyond {@link #put}. By default it has locks. */
    default Set<Capability> capabilities() {
        return Set.of(Capability.LOCK);
    }

    /**
     * As {@link #put}, if the object is still what it was; for stores with {@link Capability#CONDITIONAL_PUT}.
     *
     * @param version of the snapshot that the content was made from; empty if there was no object
     * @return whether it was done; if not, nothing was
     */
    default boolean putIf(Optional<String> version, String key, Content content, Durability durability)
            throws IOException {
        throw unsupported("put under a condition");
    }

    /** As {@link #delete}, if the object is still of that version; whether nothing is under {@code key} now. */
    default boolean deleteIf(String version, String key) throws IOException {
        throw unsupported("delete under a condition");
    }

    /**
     * Changes an object where it lies; for stores with {@link Capability#PATCH}. Nobody else changes these bytes
     * meanwhile: the caller holds the object's lock, or owns them. Unless {@code durability} is
     * {@link Durability#NONE}, a killed patch leaves what {@link #recover} brings to the old content or the new.
     * Snapshots that were open before are told by {@link Snapshot#confirm}.
     *
     * @param array the key of the array's node, below which journals may lie
     * @throws ObjectChangedException if the object is shorter than the patch supposes, or gone
     */
    default void patch(String array, String key, Edit.Patch patch, Durability durability) throws IOException {
        throw unsupported("change objects in place");
    }

    /**
     * Makes the object {@code from} of {@code source}, which may be this store, the value of {@code key} here, by
     * giving it another name at once; for stores with {@link Capability#MOVE}. At every moment it is there or here, its
     * bytes untouched. Nobody writes either of them meanwhile.
     *
     * @return whether there was such an object
     * @throws UnsupportedException if it cannot be moved from there to here; then nothing was done
     * @throws dev.shardkit.spi.error.StoreException if there is something under {@code key}
     */
    default boolean takeOver(BlockingStore source, String from, String key, Durability durability) throws IOException {
        throw unsupported("take over objects");
    }

    /** Ends what a killed patch left undone, as far as the store can. The caller holds the object's lock. */
    default Recovered recover(String array, String key) throws IOException {
        return Recovered.NOTHING;
    }

    /**
     * Names what killed writers have left below {@code prefix} in the places that the store keeps for itself. What a
     * writer may still be using is not named.
     */
    default void leftovers(String prefix, Consumer<Leftover> leftovers) throws IOException {}

    /** Removes a leftover of kind {@link Leftover.Kind#TEMPORARY}; whether it was there. */
    default boolean remove(Leftover leftover) throws IOException {
        throw unsupported("remove leftovers");
    }

    /** What {@link #recover} found. */
    enum Recovered {
        /** Nothing was undone. */
        NOTHING,
        /** A journal was carried out: the object is what it was before the patch, or after it. */
        FROM_JOURNAL,
        /** A patch with {@link Edit.Recovery#LAST_INDEX} was cut short; a patch that cuts the object ends it. */
        CUT_SHORT
    }

    /** What a store can do for writers. */
    enum Capability {
        /** {@link #lock}. */
        LOCK,
        /** {@link #putIf} and {@link #deleteIf}. */
        CONDITIONAL_PUT,
        /** {@link #patch} and {@link #recover}. */
        PATCH,
        /** {@link #takeOver}, from stores of the same kind. */
        MOVE,
        /** {@link #force}. */
        FORCE
    }

    /** A held lock. */
    interface Lock extends AutoCloseable {
        /**
         * The same for all locks of one array until {@link BlockingStore#deleteAll} removes it, and another one for an
         * array that is made in its place; by default the store does not tell.
         */
        default String generation() {
            return "";
        }

        /** Lets go. */
        @Override
        void close() throws IOException;
    }

    @Override
    default MergePolicy mergePolicy() {
        return MergePolicy.local();
    }

    private UnsupportedException unsupported(String what) {
        return new UnsupportedException("store " + describe() + " cannot " + what);
    }
}
