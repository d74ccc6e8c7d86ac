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
 * A store made of a base store and stores of parts: the keys below a mounted path belong to its store, and so do the
 * chunks of an array that begin with given indices. Local stores only. It writes, lists and locks if all parts do; if a
 * part is an archive, it is read-only. Thread-safe.
 */
final class ComposedStore implements Store, LocalReads, BlockingWrites, BlockingListings, Locks {
    private final String name;
    /** The path of the root with a slash behind it; empty for the root of the base store. */
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
        this.writes = everyStore(s -> s.can(BlockingWrites.class) && !s.can(Commits.class));
        this.lists = everyStore(s -> s.can(Listings.class));
        this.locks = everyStore(s -> s.can(Locks.class));
        Set<Condition.Kind> kinds = EnumSet.allOf(Condition.Kind.class);
        routes.stores().forEach(s -> s.find(Writes.class).ifPresent(w -> kinds.retainAll(w.honours())));
        this.honours = Set.copyOf(kinds);
    }

    /**
     * Composes stores, which it closes when it is closed.
     *
     * @param name the location of the composition document, for messages, without secrets
     * @param rootPath the path of its root; empty for the root of the base store
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

    /** Locks in the part that holds the object. Of an array in several parts, each has its own lock files. */
    @Override
    public Lock lock(String array, String key, Duration patience) throws IOException {
        Routes.Route route = route(key);
        int storePathLength = rootPath.length() + key.length() - route.key().length(); // the length of the part's path
        String arrayPath = (rootPath + array).replaceAll("/$", "");
        String arrayInStore = arrayPath.length() < storePathLength ? "" : arrayPath.substring(storePathLength);
        Locks locks = route.store().need(Locks.class, "a composed store");
        try {
            Lock lock = locks.lock(arrayInStore, route.key(), patience);
            boolean hasParts = routes.arrayParts().containsKey(arrayPath);
            return hasParts ? lock::close : new PartLock((rootPath + key).substring(0, storePathLength), lock);
        } catch (StoreException e) {
            throw new StoreException("locking " + key + ": " + e.fact(), e);
        }
    }

    /**
     * A lock of an array that lies in one part. Each part has its own generation, so an array that is spread over
     * several parts has none.
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
