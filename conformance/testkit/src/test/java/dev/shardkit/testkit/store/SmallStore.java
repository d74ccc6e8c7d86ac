package dev.shardkit.testkit.store;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.BlockingListings;
import dev.shardkit.store.BlockingWrites;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Copies;
import dev.shardkit.store.DeviceSync;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Leftover;
import dev.shardkit.store.LeftoverCleanup;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Moves;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectLocations;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.OwnNames;
import dev.shardkit.store.Patches;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.policy.Durability;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Objects in memory with every ability, in few lines. Subclasses do one thing wrong each. */
class SmallStore
        implements Store,
                LocalReads,
                BlockingWrites,
                BlockingListings,
                TreeDeletions,
                Locks,
                Copies,
                Moves,
                Patches,
                DeviceSync,
                LeftoverCleanup,
                ObjectLocations {
    final ConcurrentSkipListMap<String, Value> objects = new ConcurrentSkipListMap<>();
    final Map<String, Integer> temporary = new ConcurrentHashMap<>();
    final Map<String, Semaphore> locks = new ConcurrentHashMap<>();
    final Map<String, Long> generations = new ConcurrentHashMap<>();
    final AtomicLong versions = new AtomicLong();

    @Override
    public String describe() {
        return "small:";
    }

    @Override
    public Reads reads() {
        return this;
    }

    String checked(String key) {
        boolean text = StandardCharsets.UTF_8.newEncoder().canEncode(key) && key.indexOf(0) < 0;
        for (String name : List.of(key.split("/", -1))) {
            if (!text || name.matches("\\.*")) {
                throw new IllegalArgumentException("not a key: " + key);
            }
        }
        return key;
    }

    String below(String prefix) {
        return prefix.isEmpty() ? "" : checked(prefix) + "/";
    }

    Value value(byte[] bytes) {
        return new Value(this, bytes, Long.toString(versions.incrementAndGet()));
    }

    @Override
    public Optional<ObjectSnapshot> open(String key) throws IOException {
        return Optional.ofNullable(objects.get(checked(key)));
    }

    @Override
    public Set<Condition.Kind> honours() {
        return EnumSet.allOf(Condition.Kind.class);
    }

    @Override
    public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
            throws IOException {
        checked(key);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        content.writeTo(Channels.newChannel(out));
        if (out.size() != content.size()) {
            throw new StoreException("expected " + content.size() + " bytes, found " + out.size());
        }
        Value next = value(out.toByteArray());
        synchronized (this) {
            if (!holds(condition, objects.get(key))) {
                return WriteResult.NOT_MET;
            }
            objects.put(key, next);
            return WriteResult.DONE;
        }
    }

    boolean holds(Condition condition, Value now) {
        return condition instanceof Condition.Any
                || (condition instanceof Condition.Absent && now == null)
                || (condition instanceof Condition.Version v && now != null && now.version.equals(v.version()));
    }

    @Override
    public synchronized WriteResult deleteNow(String key, Condition condition) {
        Value now = objects.get(checked(key));
        if (now == null) {
            return WriteResult.NOTHING;
        } else if (!holds(condition, now)) {
            return WriteResult.NOT_MET;
        }
        objects.remove(key);
        return WriteResult.DONE;
    }

    @Override
    public void list(String prefix, Consumer<Entry> entries) {
        String start = below(prefix);
        Map<String, Entry.Kind> children = new TreeMap<>();
        objects.keySet().stream().filter(key -> key.startsWith(start)).forEach(key -> {
            int slash = key.indexOf('/', start.length());
            String name = slash < 0 ? key.substring(start.length()) : key.substring(start.length(), slash);
            children.put(name, slash < 0 ? Entry.Kind.OBJECT : Entry.Kind.PREFIX);
        });
        children.forEach((name, kind) -> {
            if (isListed(name)) {
                entries.accept(new Entry(name, kind));
            }
        });
    }

    boolean isListed(String name) {
        return !OwnNames.isOwn(name);
    }

    @Override
    public void deleteAll(String prefix) {
        String start = below(prefix);
        objects.keySet().removeIf(key -> key.startsWith(start));
        locks.forEach((key, lock) -> {
            if (key.startsWith(start)) {
                lock.acquireUninterruptibly();
                lock.release();
            }
        });
        objects.keySet().removeIf(key -> key.startsWith(start));
        generations.keySet().removeIf(array -> start.isEmpty() || (array + "/").startsWith(start));
    }

    @Override
    public void deleteAll(String prefix, Duration patience) {
        String start = below(prefix);
        locks.forEach((key, lock) -> {
            if (key.startsWith(start)) {
                if (!lock.tryAcquire()) {
                    throw new StoreException("another writer holds the lock of " + key);
                }
                lock.release();
            }
        });
        deleteAll(prefix);
    }

    @Override
    public Lock lock(String array, String key, Duration patience) {
        Semaphore lock = locks.computeIfAbsent(checked(key), k -> new Semaphore(1));
        try {
            if (!lock.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new StoreException("the lock of " + key + " was not free for " + patience);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted", e);
        }
        return held(lock, Long.toString(generations.computeIfAbsent(array, a -> versions.incrementAndGet())));
    }

    Lock held(Semaphore lock, String generation) {
        AtomicBoolean open = new AtomicBoolean(true);
        return new Lock() {
            @Override
            public String generation() {
                return generation;
            }

            @Override
            public void close() {
                if (open.getAndSet(false)) {
                    lock.release();
                }
            }
        };
    }

    @Override
    public boolean copy(String from, String to, Durability durability) {
        Value found = objects.get(checked(from));
        checked(to);
        if (found != null) {
            objects.put(to, value(found.bytes));
        }
        return found != null;
    }

    @Override
    public boolean takeOver(Store source, String from, String key, Durability durability) {
        checked(from);
        checked(key);
        if (!(source instanceof SmallStore small)) {
            throw new UnsupportedException("small: cannot take over objects of " + source.describe());
        }
        Value found = small.objects.get(from);
        if (found == null) {
            return false;
        } else if (objects.putIfAbsent(key, value(found.bytes)) != null) {
            throw new StoreException(key + " is in the way");
        }
        small.objects.remove(from);
        return true;
    }

    @Override
    public synchronized void patch(String array, String key, Edit.Patch patch, Durability durability) {
        Value old = objects.get(checked(key));
        if (old == null || old.bytes.length < patch.oldSize()) {
            throw new ObjectChangedException("expected at least " + patch.oldSize() + " bytes");
        }
        Predicate<long[]> within = range -> range[0] >= 0 && range[0] <= patch.oldSize() - range[1];
        boolean inside = patch.overwritten().stream()
                        .allMatch(w ->
                                within.test(new long[] {w.offset(), w.bytes().size()}))
                && patch.appended().stream()
                        .allMatch(p -> !(p instanceof dev.shardkit.spi.codec.Piece.Copied m)
                                || within.test(new long[] {m.offset(), m.size()}));
        if (!inside) {
            throw new IllegalArgumentException("a patch outside the object: " + patch);
        }
        objects.put(key, value(PatchSamples.applied(patch, old.bytes)));
        old.changed = true;
    }

    @Override
    public Recovered recover(String array, String key) {
        return Recovered.NOTHING;
    }

    @Override
    public void force(String prefix) {
        below(prefix);
    }

    @Override
    public void leftovers(String prefix, Consumer<Leftover> leftovers) {
        String start = below(prefix);
        temporary.forEach((name, bytes) -> {
            if (name.startsWith(start)) {
                leftovers.accept(new Leftover(Leftover.Kind.TEMPORARY, name, Optional.empty(), bytes));
            }
        });
    }

    @Override
    public boolean remove(Leftover leftover) {
        return temporary.remove(leftover.name()) != null;
    }

    @Override
    public Optional<Location> locate(String key) {
        try {
            return Optional.of(new Location(new URI("small", "host", "/" + checked(key), null), 0));
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** One value of one object. */
    static final class Value implements ObjectSnapshot {
        private final SmallStore store;
        final byte[] bytes;
        final String version;
        volatile boolean changed;

        Value(SmallStore store, byte[] bytes, String version) {
            this.store = store;
            this.bytes = bytes;
            this.version = version;
        }

        @Override
        public String version() {
            return version;
        }

        @Override
        public long size() {
            return bytes.length;
        }

        @Override
        public void read(long offset, ByteBuffer into) throws IOException {
            store.read(this, offset, into);
        }

        @Override
        public void confirm() {
            store.confirm(this);
        }

        @Override
        public void close() {
            return; // nothing is held
        }
    }

    void read(Value value, long offset, ByteBuffer into) throws IOException {
        if (offset < 0 || offset > value.bytes.length - into.remaining()) {
            throw new EOFException("found " + value.bytes.length + " bytes");
        }
        into.put(value.bytes, (int) offset, into.remaining());
    }

    void confirm(Value value) {
        if (value.changed) {
            throw new ObjectChangedException("changed in place");
        }
    }
}
