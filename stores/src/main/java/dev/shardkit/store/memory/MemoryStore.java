package dev.shardkit.store.memory;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Ability;
import dev.shardkit.store.BlockingListings;
import dev.shardkit.store.BlockingWrites;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Copies;
import dev.shardkit.store.Entry;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Moves;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.OwnNames;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.channel.ByteCollector;
import dev.shardkit.store.keys.Keys;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Stores objects in memory, for tests and for temporary data. A put replaces an object atomically, whatever its
 * {@link Durability}. Locks exclude threads of this process. A store from {@link #conditional} has no locks, like an
 * object store with If-Match: sessions that open it then act as separate clients. Objects are never evicted. Closing
 * the store does nothing. Thread-safe.
 */
public final class MemoryStore
        implements Store, LocalReads, BlockingWrites, BlockingListings, TreeDeletions, Locks, Copies, Moves {
    private final ConcurrentNavigableMap<String, MemoryObjectSnapshot> objects = new ConcurrentSkipListMap<>();
    private final MemoryLocks locks;
    /** Counts the versions of all objects. */
    private final AtomicLong versions = new AtomicLong();

    private final String name;
    private final boolean locking;

    private MemoryStore(String name, boolean locking) {
        this.name = name;
        this.locking = locking;
        this.locks = new MemoryLocks(describe());
    }

    /** Returns an empty store. */
    public static MemoryStore create() {
        return named("");
    }

    /** Returns an empty store that is named {@code memory:NAME} in messages. */
    public static MemoryStore named(String name) {
        return new MemoryStore(name, true);
    }

    /** Returns an empty store without locks, whose puts can be conditional on an unchanged object. */
    public static MemoryStore conditional(String name) {
        return new MemoryStore(name, false);
    }

    @Override
    public String describe() {
        return "memory:" + name;
    }

    @Override
    public Optional<ObjectSnapshot> open(String key) {
        Keys.check(key);
        MemoryObjectSnapshot stored = objects.get(key);
        return stored == null ? Optional.empty() : Optional.of(stored);
    }

    @Override
    public Reads reads() {
        return this;
    }

    /** Returns an ability of this store. A store without locks has no moves either, like an object store. */
    @Override
    public <A extends Ability> Optional<A> find(Class<A> ability) {
        boolean lacks = !locking && (ability == Locks.class || ability == Moves.class);
        return lacks ? Optional.empty() : Store.super.find(ability);
    }

    /** Stores an object like {@link #putNow}, unconditionally. */
    public void put(String key, Content content, Durability durability) throws IOException {
        putNow(key, content, Condition.ANY, durability);
    }

    @Override
    public boolean copy(String sourceKey, String targetKey, Durability durability) {
        Keys.check(sourceKey);
        Keys.check(targetKey);
        MemoryObjectSnapshot stored = objects.get(sourceKey);
        if (stored != null) {
            objects.put(targetKey, next(stored.bytes()));
        }
        return stored != null;
    }

    /** Returns an object with a new version. */
    private MemoryObjectSnapshot next(Bytes bytes) {
        return new MemoryObjectSnapshot(bytes, Long.toString(versions.incrementAndGet()));
    }

    /** Returns an object with this content and a new version. */
    private MemoryObjectSnapshot stored(String key, Content content) throws IOException {
        Keys.check(key);
        ByteCollector collector = new ByteCollector(content.size());
        content.writeTo(collector);
        Bytes bytes = collector.bytes();
        if (bytes.size() != content.size()) {
            throw new StoreException("writing " + key + " to " + describe() + ": expected " + content.size()
                    + " bytes from the content, found " + bytes.size());
        }
        return next(bytes);
    }

    @Override
    public Set<Condition.Kind> honours() {
        return EnumSet.allOf(Condition.Kind.class);
    }

    @Override
    public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
            throws IOException {
        Keys.check(key);
        if (condition instanceof Condition.Any) {
            MemoryObjectSnapshot next = stored(key, content);
            objects.put(key, next);
            return resultOf(next);
        }
        Optional<MemoryObjectSnapshot> current = Optional.ofNullable(objects.get(key));
        Optional<String> version =
                condition instanceof Condition.Version v ? Optional.of(v.version()) : Optional.empty();
        if (!current.map(MemoryObjectSnapshot::version).equals(version)) {
            return WriteResult.NOT_MET;
        }
        MemoryObjectSnapshot next = stored(key, content);
        boolean isStored = current.isPresent()
                ? objects.replace(key, current.get(), next)
                : objects.putIfAbsent(key, next) == null;
        return isStored ? resultOf(next) : WriteResult.NOT_MET;
    }

    private static WriteResult resultOf(MemoryObjectSnapshot stored) {
        return new WriteResult.Done(Optional.of(stored.version()));
    }

    @Override
    public WriteResult deleteNow(String key, Condition condition) {
        Keys.check(key);
        MemoryObjectSnapshot current = objects.get(key);
        if (current == null) {
            return WriteResult.NOTHING;
        } else if (condition instanceof Condition.Any) {
            return objects.remove(key) == null ? WriteResult.NOTHING : WriteResult.DONE;
        }
        boolean isVersion =
                condition instanceof Condition.Version v && current.version().equals(v.version());
        return isVersion && objects.remove(key, current) ? WriteResult.DONE : WriteResult.NOT_MET;
    }

    @Override
    public boolean takeOver(Store source, String sourceKey, String key, Durability durability) {
        Keys.check(sourceKey);
        Keys.check(key);
        if (!(source instanceof MemoryStore memory)) {
            throw new UnsupportedException(
                    "the store " + describe() + " cannot move objects from " + source.describe());
        }
        MemoryObjectSnapshot stored = memory.objects.get(sourceKey);
        if (stored == null) {
            return false;
        }
        if (objects.putIfAbsent(key, next(stored.bytes())) != null) {
            throw new StoreException("moving " + sourceKey + " in " + source.describe() + ": " + key + " in "
                    + describe() + " already exists");
        }
        memory.objects.remove(sourceKey, stored);
        return true;
    }

    /** Deletes an object like {@link #deleteNow}, unconditionally. Returns whether it existed. */
    public boolean delete(String key) {
        return deleteNow(key, Condition.ANY) instanceof WriteResult.Done;
    }

    @Override
    public void deleteAll(String prefix) {
        deleteAll(prefix, Duration.ofMinutes(1));
    }

    @Override
    public void deleteAll(String prefix, Duration patience) {
        ConcurrentNavigableMap<String, MemoryObjectSnapshot> objectsBelow = objectsUnder(prefix);
        locks.deleteBelow(prefix, patience, objectsBelow::clear);
    }

    @Override
    public void reserved(String prefix, Consumer<String> names) {
        int start = StoreKeys.prefix(prefix).length();
        objectsUnder(prefix).keySet().stream()
                .map(key -> key.substring(start))
                .filter(OwnNames::isBelowOwn)
                .forEach(names);
    }

    @Override
    public void list(String prefix, Consumer<Entry> entries) {
        ConcurrentNavigableMap<String, MemoryObjectSnapshot> objectsBelow = objectsUnder(prefix);
        int start = StoreKeys.prefix(prefix).length();
        String key = objectsBelow.ceilingKey("");
        while (key != null) {
            int slash = key.indexOf('/', start);
            String child = slash < 0 ? key.substring(start) : key.substring(start, slash);
            if (!OwnNames.isOwn(child)) {
                entries.accept(slash < 0 ? object(child, objectsBelow.get(key)) : new Entry(child, Entry.Kind.PREFIX));
            }
            key = slash < 0 ? objectsBelow.higherKey(key) : objectsBelow.ceilingKey(successor(key.substring(0, slash)));
        }
    }

    private static Entry object(String name, @Nullable MemoryObjectSnapshot stored) {
        return stored == null
                ? new Entry(name, Entry.Kind.OBJECT)
                : new Entry(
                        name, Entry.Kind.OBJECT, OptionalLong.of(stored.bytes().size()), Optional.of(stored.version()));
    }

    private ConcurrentNavigableMap<String, MemoryObjectSnapshot> objectsUnder(String prefix) {
        Keys.checkPrefix(prefix);
        return prefix.isEmpty() ? objects : objects.subMap(prefix + "/", successor(prefix));
    }

    /** Returns the smallest string that is greater than all keys below {@code prefix}: '0' follows '/'. */
    private static String successor(String prefix) {
        return prefix + (char) ('/' + 1);
    }

    @Override
    public Lock lock(String array, String key, Duration patience) {
        Keys.check(key);
        return locks.acquire(
                array, key, patience, objectKey -> objects.computeIfAbsent(objectKey, k -> next(Bytes.of(new byte[0])))
                        .version());
    }
}
