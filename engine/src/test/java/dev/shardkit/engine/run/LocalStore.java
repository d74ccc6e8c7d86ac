package dev.shardkit.engine.run;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Ability;
import dev.shardkit.store.BlockingWrites;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.Locks;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Patches;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.Writes;
import dev.shardkit.store.policy.Durability;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A local store over a map that counts, and that tests interfere with before it does anything. */
public final class LocalStore implements Store, LocalReads, BlockingWrites, Locks, Patches {
    /** What a test does when the store is about to do something. */
    public interface Hook {
        void at(String key) throws IOException;
    }

    private record Stored(byte[] bytes, long version) {}

    private final Map<String, Stored> objects = new ConcurrentHashMap<>();
    private final Map<String, Semaphore> locks = new ConcurrentHashMap<>();
    private final AtomicLong versions = new AtomicLong();
    public final AtomicInteger opened = new AtomicInteger();
    public final AtomicInteger closed = new AtomicInteger();
    public final AtomicInteger maxOpen = new AtomicInteger();
    public final AtomicInteger reads = new AtomicInteger();
    public final AtomicInteger locked = new AtomicInteger();
    public final AtomicInteger unlocked = new AtomicInteger();
    public volatile Hook onOpen = key -> {};
    public volatile Hook onRead = key -> {};
    public volatile Hook onLock = key -> {};
    public volatile Hook onUnlock = key -> {};
    public volatile Hook onPut = key -> {};
    public volatile Hook onPatch = key -> {};
    /** What it claims to be able to do. */
    public volatile Set<Class<? extends Ability>> abilities = Set.of(Writes.class, Locks.class);
    /** Whether it puts and deletes under conditions. */
    public volatile boolean conditional;
    /** What the next recovery finds. */
    public volatile Recovered recovered = Recovered.NOTHING;

    private final Set<Long> patched = ConcurrentHashMap.newKeySet();

    /** Puts an object, of a new version. */
    public LocalStore with(String key, byte[] bytes) {
        objects.put(key, new Stored(bytes, versions.incrementAndGet()));
        return this;
    }

    /** Changes the bytes that open snapshots read, as a writer in place does. */
    void overwrite(String key, int offset, byte[] bytes) {
        Stored old = objects.get(key);
        patched.add(old.version());
        System.arraycopy(bytes, 0, old.bytes(), offset, bytes.length);
        with(key, old.bytes().clone());
    }

    /** What is stored. */
    public Optional<byte[]> get(String key) {
        return Optional.ofNullable(objects.get(key)).map(Stored::bytes);
    }

    @Override
    public String describe() {
        return "local:";
    }

    @Override
    public Optional<ObjectSnapshot> open(String key) throws IOException {
        onOpen.at(key);
        Stored stored = objects.get(key);
        if (stored == null) {
            return Optional.empty();
        }
        int now = opened.incrementAndGet() - closed.get();
        maxOpen.accumulateAndGet(now, Math::max);
        return Optional.of(new Opened(key, stored));
    }

    private final class Opened implements ObjectSnapshot {
        private final String key;
        private final Stored stored;

        Opened(String key, Stored stored) {
            this.key = key;
            this.stored = stored;
        }

        @Override
        public String version() {
            return "v" + stored.version();
        }

        @Override
        public long size() {
            return stored.bytes().length;
        }

        @Override
        public void read(long offset, ByteBuffer into) throws IOException {
            reads.incrementAndGet();
            onRead.at(key);
            into.put(stored.bytes(), (int) offset, into.remaining());
        }

        @Override
        public void confirm() {
            if (patched.contains(stored.version())) {
                throw new ObjectChangedException("patched since it was " + version());
            }
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }

    @Override
    public Reads reads() {
        return this;
    }

    @Override
    public <A extends Ability> Optional<A> find(Class<A> ability) {
        return abilities.contains(ability) ? Optional.of(ability.cast(this)) : Optional.empty();
    }

    @Override
    public Set<Condition.Kind> honours() {
        return conditional ? EnumSet.allOf(Condition.Kind.class) : Set.of(Condition.Kind.ANY);
    }

    @Override
    public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
            throws IOException {
        onPut.at(key);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        content.writeTo(Channels.newChannel(out));
        synchronized (objects) {
            if (!holds(condition, key)) {
                return WriteResult.NOT_MET;
            }
            with(key, out.toByteArray());
            return WriteResult.DONE;
        }
    }

    @Override
    public WriteResult deleteNow(String key, Condition condition) {
        synchronized (objects) {
            if (!objects.containsKey(key)) {
                return WriteResult.NOTHING;
            } else if (!holds(condition, key)) {
                return WriteResult.NOT_MET;
            }
            objects.remove(key);
            return WriteResult.DONE;
        }
    }

    private boolean holds(Condition condition, String key) {
        Stored now = objects.get(key);
        return switch (condition.kind()) {
            case ANY -> true;
            case ABSENT -> now == null;
            case VERSION -> now != null && condition.equals(Condition.version("v" + now.version()));
        };
    }

    /** Changes the bytes that open snapshots read, as a file does. */
    @Override
    public void patch(String array, String key, Edit.Patch patch, Durability durability) throws IOException {
        if (!abilities.contains(Patches.class)) {
            throw new UnsupportedException("no patches here");
        }
        onPatch.at(key);
        Stored old = objects.get(key);
        if (old == null || old.bytes().length < patch.oldSize()) {
            throw new ObjectChangedException("expected " + patch.oldSize() + " bytes");
        }
        patched.add(old.version());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(old.bytes(), 0, (int) patch.oldSize());
        for (Piece p : patch.appended()) {
            out.writeBytes(p instanceof Piece.Literal l ? l.bytes().toArray() : new byte[(int) p.size()]);
        }
        byte[] now = out.toByteArray();
        for (Edit.Write w : patch.overwritten()) {
            System.arraycopy(w.bytes().toArray(), 0, old.bytes(), (int) w.offset(), (int)
                    w.bytes().size());
            System.arraycopy(w.bytes().toArray(), 0, now, (int) w.offset(), (int)
                    w.bytes().size());
        }
        with(key, now);
    }

    /** Lets snapshots of an object find that it was changed where it lies. */
    void changeInPlace(String key) {
        Stored old = objects.get(key);
        patched.add(old.version());
        with(key, old.bytes());
    }

    @Override
    public Recovered recover(String array, String key) {
        Recovered found = recovered;
        recovered = Recovered.NOTHING;
        return found;
    }

    @Override
    public Locks.Lock lock(String array, String key, Duration patience) throws IOException {
        onLock.at(key);
        Semaphore own = locks.computeIfAbsent(key, k -> new Semaphore(1));
        own.acquireUninterruptibly();
        locked.incrementAndGet();
        return () -> {
            unlocked.incrementAndGet();
            own.release();
            onUnlock.at(key);
        };
    }
}
