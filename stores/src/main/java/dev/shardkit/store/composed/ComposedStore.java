package dev.shardkit.store.composed;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Ability;
import dev.shardkit.store.BlockingListings;
import dev.shardkit.store.BlockingWrites;
import dev.shardkit.store.Commits;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Listings;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.Locks;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.Writes;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.keys.Keys;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Combines several local stores into one. A base store holds all keys except those of the parts. A part is a store of
 * its own that holds either the keys below a path, or the chunks of an array whose keys begin with given indices;
 * {@link Routes} finds the part of a key. A composed store can write, list or lock if all its stores can. If a part is
 * an archive, it is read-only. Thread-safe.
 */
final class ComposedStore implements Store, LocalReads, BlockingWrites, BlockingListings, Locks {
    private final String name;
    /** The path of the root with a slash at its end; empty for the root of the base store. */
    private final String rootPath;

    private final Routes routes;
    private final boolean writes;
    private final boolean lists;
    private final boolean locks;
    private final Set<Condition.Kind> honours;

    private ComposedStore(String name, String rootPath, Routes routes) {
        this.name = rootPath.isEmpty() ? name : name + "!" + rootPath;
        this.rootPath = StoreKeys.prefix(rootPath);
        this.routes = routes;
        // A store with Commits publishes its changes by a step that a composed store does not offer.
        this.writes = everyStore(store -> store.can(BlockingWrites.class) && !store.can(Commits.class));
        this.lists = everyStore(store -> store.can(Listings.class));
        this.locks = everyStore(store -> store.can(Locks.class));
        Set<Condition.Kind> kinds = EnumSet.allOf(Condition.Kind.class);
        routes.stores()
                .forEach(store -> store.find(Writes.class).ifPresent(writes -> kinds.retainAll(writes.honours())));
        this.honours = Set.copyOf(kinds);
    }

    /**
     * Returns a store that is composed of {@code routes}' stores, and closes them when it is closed.
     *
     * @param name the location of the composition document, for messages, without secrets
     * @param rootPath the path below which the composed store's keys begin; empty for the root of the base store
     * @throws UnsupportedException if a store is remote
     */
    static ComposedStore of(String name, String rootPath, Routes routes) {
        for (Store store : routes.stores()) {
            if (!(store.reads() instanceof LocalReads)) {
                throw new UnsupportedException(
                        "a composed store consists of local stores, found the remote store " + store.describe());
            }
        }
        return new ComposedStore(name, rootPath, routes);
    }

    private boolean everyStore(Predicate<Store> test) {
        return routes.stores().stream().allMatch(test);
    }

    @Override
    public String describe() {
        return name;
    }

    @Override
    public Reads reads() {
        return this;
    }

    @Override
    public <A extends Ability> Optional<A> find(Class<A> ability) {
        boolean lacks = (Writes.class.isAssignableFrom(ability) && !writes)
                || (Listings.class.isAssignableFrom(ability) && !lists)
                || (ability == Locks.class && !locks);
        return lacks ? Optional.empty() : Store.super.find(ability);
    }

    private Routes.Route route(String key) {
        Keys.check(key);
        return routes.routeOf(rootPath + key);
    }

    private static LocalReads localReads(Routes.Route route) {
        return (LocalReads) route.store().reads();
    }

    @Override
    public Optional<ObjectSnapshot> open(String key) throws IOException {
        Routes.Route route = route(key);
        return localReads(route).open(route.key());
    }

    @Override
    public Optional<ObjectSnapshot> openToChange(String key) throws IOException {
        Routes.Route route = route(key);
        return localReads(route).openToChange(route.key());
    }

    @Override
    public Optional<String> version(String key) throws IOException {
        Routes.Route route = route(key);
        return localReads(route).version(route.key());
    }

    @Override
    public Set<Condition.Kind> honours() {
        return honours;
    }

    @Override
    public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
            throws IOException {
        Routes.Route route = route(key);
        return BlockingStore.to(route.store()).put(route.key(), content, condition, durability);
    }

    @Override
    public WriteResult deleteNow(String key, Condition condition) throws IOException {
        Routes.Route route = route(key);
        return BlockingStore.to(route.store()).delete(route.key(), condition);
    }

    /** Locks in the store that holds the object. If an array is spread over several parts, each has its lock files. */
    @Override
    public Lock lock(String array, String key, Duration patience) throws IOException {
        Routes.Route route = route(key);
        int storePathLength = rootPath.length() + key.length() - route.key().length(); // the length of the part's path
        String arrayPath = (rootPath + array).replaceAll("/$", "");
        String arrayInStore = arrayPath.length() < storePathLength ? "" : arrayPath.substring(storePathLength);
        Locks locks = route.store().need(Locks.class, "a composed store");
        try {
            Lock lock = locks.lock(arrayInStore, route.key(), patience);
            // A lock without a generation is enough for an array that is spread over several parts, see PartLock.
            boolean hasParts = routes.arrayParts().containsKey(arrayPath);
            return hasParts ? lock::close : new PartLock((rootPath + key).substring(0, storePathLength), lock);
        } catch (StoreException e) {
            throw new StoreException("locking " + key + ": " + e.fact(), e);
        }
    }

    /**
     * A lock of an array that lies in one store. Its generation contains the path of the store, because each store
     * counts its own generations. The lock of an array that is spread over several parts has no generation.
     *
     * @param path the path of the part
     */
    private record PartLock(String path, Lock lock) implements Lock {
        @Override
        public String generation() {
            return lock.generation().isEmpty() ? "" : path + ":" + lock.generation();
        }

        @Override
        public void close() throws IOException {
            lock.close();
        }
    }

    @Override
    public void list(String prefix, Consumer<Entry> entries) throws IOException {
        if (!prefix.isEmpty()) {
            Keys.check(prefix);
        }
        routes.list((rootPath + prefix).replaceAll("/$", ""), entries);
    }

    @Override
    public void close() {
        List<RuntimeException> failures = new ArrayList<>();
        for (Store store : routes.stores()) {
            try {
                store.close();
            } catch (RuntimeException e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            failures.subList(1, failures.size()).forEach(failures.get(0)::addSuppressed);
            throw failures.get(0);
        }
    }
}
