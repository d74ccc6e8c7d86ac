package dev.shardkit.store;

import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * A view of another store that is {@link WriteOnce}: each object is put once, and never replaced or deleted. Some
 * stores forbid replacing and deleting by rules of their own; over such a store, the view makes an operation that would
 * break these rules fail early, with a clear error. The view also protects archives from changes by mistake.
 * Thread-safe.
 *
 * <p>If the other store supports {@link Condition.Absent}, no two writers can put the same key. Otherwise this is
 * certain only for the writers of one instance, and for shards, because each process writes a shard under its lock.
 */
public final class WriteOnceStore extends ForwardingStore implements WriteOnce {
    /** The abilities of the other store that this one keeps. */
    private static final Set<Class<? extends Ability>> KEPT =
            Set.of(Listings.class, BlockingListings.class, Locks.class, DeviceSync.class, ObjectLocations.class);
    /** The number of monitors; each key belongs to one of them, by its hash. */
    private static final int STRIPES = 64;

    private final Store store;
    private final Writes writes;
    /** The monitors that are held from the check of a key to its put, if the store has no conditions. */
    private final Object[] stripes = Stream.generate(Object::new).limit(STRIPES).toArray();

    private WriteOnceStore(Store store, Writes writes) {
        super(store);
        this.store = store;
        boolean isBlocking = writes instanceof BlockingWrites && store.reads() instanceof LocalReads;
        this.writes = isBlocking ? new Local((BlockingWrites) writes) : new Remote(writes);
    }

    /**
     * Returns a write-once view of {@code store}. Closing the view closes {@code store}.
     *
     * @throws UnsupportedException if {@code store} cannot write, or if it is remote and does not support
     *     {@link Condition.Absent}
     */
    public static WriteOnceStore over(Store store) {
        Writes writes = store.need(Writes.class, "a write-once store");
        boolean isBlocking = writes instanceof BlockingWrites && store.reads() instanceof LocalReads;
        if (!isBlocking && !writes.honours().contains(Condition.Kind.ABSENT)) {
            throw new UnsupportedException("the store " + store.describe()
                    + " has no puts under the condition that there is no object, which a write-once store needs");
        }
        return new WriteOnceStore(store, writes);
    }

    @Override
    public <A extends Ability> Optional<A> find(Class<A> ability) {
        if (ability.isInstance(this)) {
            return Optional.of(ability.cast(this));
        } else if (ability.isInstance(writes) && Writes.class.isAssignableFrom(ability)) {
            return Optional.of(ability.cast(writes));
        }
        return KEPT.contains(ability) ? super.find(ability) : Optional.empty();
    }

    /** Returns the conditions of a store, and {@link Condition.Absent}, which every write-once store supports. */
    private static Set<Condition.Kind> withAbsent(Writes writes) {
        EnumSet<Condition.Kind> kinds = EnumSet.copyOf(writes.honours());
        kinds.add(Condition.Kind.ABSENT);
        return kinds;
    }

    /**
     * Returns whether a put was not made because it would have replaced an object. This is an error, unless the caller
     * has put under the condition that there is no object.
     */
    private static boolean isRefused(WriteResult outcome, Condition condition) {
        return outcome instanceof WriteResult.NotMet && !(condition instanceof Condition.Absent);
    }

    /** Writes to a local store. */
    private final class Local implements BlockingWrites {
        private final BlockingWrites writes;

        Local(BlockingWrites writes) {
            this.writes = writes;
        }

        @Override
        public Set<Condition.Kind> honours() {
            return withAbsent(writes);
        }

        @Override
        public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                throws IOException {
            WriteResult outcome = condition instanceof Condition.Version && !exists(key)
                    ? WriteResult.NOT_MET
                    : putIfAbsent(key, content, durability);
            if (isRefused(outcome, condition) && exists(key)) {
                throw WriteOnce.refused(WriteOnceStore.this, key);
            }
            return outcome;
        }

        /** Puts an object unless there is one under the key. */
        private WriteResult putIfAbsent(String key, Content content, Durability durability) throws IOException {
            if (writes.honours().contains(Condition.Kind.ABSENT)) {
                return writes.putNow(key, content, Condition.ABSENT, durability);
            }
            synchronized (stripes[Math.floorMod(key.hashCode(), STRIPES)]) {
                return exists(key) ? WriteResult.NOT_MET : writes.putNow(key, content, Condition.ANY, durability);
            }
        }

        @Override
        public WriteResult deleteNow(String key, Condition condition) throws IOException {
            if (exists(key)) {
                throw WriteOnce.refused(WriteOnceStore.this, key);
            }
            return WriteResult.NOTHING;
        }

        private boolean exists(String key) throws IOException {
            return ((LocalReads) store.reads()).version(key).isPresent();
        }
    }

    /** Writes to a remote store, which supports {@link Condition.Absent}. */
    private final class Remote implements Writes {
        private final Writes writes;

        Remote(Writes writes) {
            this.writes = writes;
        }

        @Override
        public Set<Condition.Kind> honours() {
            return withAbsent(writes);
        }

        @Override
        public CompletionStage<WriteResult> put(
                String key, Content content, Condition condition, Durability durability) {
            return condition instanceof Condition.Version
                    ? refuse(key, WriteResult.NOT_MET)
                    : refused(key, condition, writes.put(key, content, Condition.ABSENT, durability));
        }

        @Override
        public CompletionStage<WriteResult> putExactlyOnce(
                String key, Content content, Condition condition, Durability durability) {
            return condition instanceof Condition.Version
                    ? refuse(key, WriteResult.NOT_MET)
                    : refused(key, condition, writes.putExactlyOnce(key, content, Condition.ABSENT, durability));
        }

        /** Returns the result of a put, which fails if the put would have replaced an object. */
        private CompletionStage<WriteResult> refused(
                String key, Condition condition, CompletionStage<WriteResult> result) {
            return result.thenCompose(outcome -> isRefused(outcome, condition)
                    ? CompletableFuture.failedFuture(WriteOnce.refused(WriteOnceStore.this, key))
                    : CompletableFuture.completedFuture(outcome));
        }

        @Override
        public CompletionStage<WriteResult> delete(String key, Condition condition) {
            return refuse(key, WriteResult.NOTHING);
        }

        /** Returns a stage that fails if the object exists, and otherwise has the outcome {@code otherwise}. */
        private CompletionStage<WriteResult> refuse(String key, WriteResult otherwise) {
            return ((RemoteReads) store.reads())
                    .forWriters()
                    .fetch(key, new ByteRange.Suffix(1), Optional.empty(), new StoreListener() {})
                    .thenCompose(fetched -> fetched instanceof FetchResult.Found
                            ? CompletableFuture.failedFuture(WriteOnce.refused(WriteOnceStore.this, key))
                            : CompletableFuture.completedFuture(otherwise));
        }
    }
}
