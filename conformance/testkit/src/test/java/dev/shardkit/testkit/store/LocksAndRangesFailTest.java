package dev.shardkit.testkit.store;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Ability;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Content.Part;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.Locks;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.Writes;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.ContractRun;
import dev.shardkit.testkit.Waits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each test of the suites of locks, range copies and stores as such fails for a store with a flaw. */
@Tag("one-jdk")
class LocksAndRangesFailTest {
    /** Locks that keep nobody out; the first reader waits for the second, so both see the same. */
    private static final class Lockless extends SmallStore {
        private final AtomicInteger opened = new AtomicInteger();

        @Override
        public Lock lock(String array, String key, Duration patience) {
            checked(key);
            return held(new Semaphore(1), "1");
        }

        @Override
        public Optional<ObjectSnapshot> open(String key) throws IOException {
            Optional<ObjectSnapshot> found = super.open(key);
            opened.incrementAndGet();
            Waits.until(() -> opened.get() > 1);
            return found;
        }
    }

    @Test
    void locks() {
        Map<String, Supplier<? extends Store>> flaws = new HashMap<>();
        flaws.put("lock_readModifyWriteByManyThreads_losesNothing", Lockless::new);
        flaws.put("lock_heldByAnother_isAStoreExceptionAfterItsPatience", Lockless::new);
        flaws.put("generation_ofAnotherArray_isAnother", Lockless::new);
        flaws.put("lock_ofAnotherObject_isFree", () -> new SmallStore() {
            @Override
            public Lock lock(String array, String key, Duration patience) {
                return super.lock("one", "one", patience);
            }
        });
        flaws.put("lock_held_leavesReadsAlone", () -> new SmallStore() {
            @Override
            public Optional<ObjectSnapshot> open(String key) throws IOException {
                if (locks.containsKey(key) && locks.get(key).availablePermits() == 0) {
                    throw new StoreException("locked");
                }
                return super.open(key);
            }
        });
        flaws.put("lock_ofAnAbsentObject_createsNone", () -> new SmallStore() {
            @Override
            public Lock lock(String array, String key, Duration patience) {
                objects.putIfAbsent(key, value(new byte[0]));
                return super.lock(array, key, patience);
            }
        });
        flaws.put("lock_closedTwice_isReleasedOnce", () -> new SmallStore() {
            @Override
            Lock held(Semaphore lock, String generation) {
                return lock::release;
            }
        });
        flaws.put("lock_closedByAnotherThread_goesToTheWaiter", () -> new SmallStore() {
            @Override
            Lock held(Semaphore lock, String generation) {
                Thread owner = Thread.currentThread();
                return () -> {
                    lock.release();
                    if (Thread.currentThread() != owner) {
                        throw new IllegalMonitorStateException("not its owner");
                    }
                };
            }
        });
        flaws.put("lock_interruptedWaiter_failsAndStaysInterrupted", () -> new SmallStore() {
            @Override
            public Lock lock(String array, String key, Duration patience) {
                try {
                    return super.lock(array, key, patience);
                } finally {
                    Thread.interrupted();
                }
            }
        });
        flaws.put("generation_isOneForAllLocks_untilTheArrayIsRemoved", () -> new SmallStore() {
            @Override
            public void deleteAll(String prefix) {
                objects.clear();
            }
        });
        flaws.put("keys_illegal_areTheCallersMistake", () -> new SmallStore() {
            @Override
            String checked(String key) {
                return key;
            }
        });
        ContractRun.<Store>assertEachCanFail(
                store -> new LocksContract() {
                    @Override
                    protected Store freshStore() {
                        return store.get();
                    }
                },
                SmallStore::new,
                flaws);
    }

    /** Joins the parts of puts; each method is one step that a flaw can spoil. */
    private static class Joining extends SmallStore {
        @Override
        public boolean copiesRanges() {
            return true;
        }

        @Override
        public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                throws IOException {
            Content all = content;
            if (content.parts().isPresent()) {
                List<Bytes> bytes = new ArrayList<>();
                for (Part part : content.parts().get()) {
                    bytes.add(part instanceof Part.Literal l ? l.bytes() : Bytes.of(range(key, (Part.Stored) part)));
                }
                all = Content.of(Bytes.concat(bytes));
            }
            return super.putNow(key, all, condition(condition), durability);
        }

        Condition condition(Condition asked) {
            return asked;
        }

        byte[] range(String target, Part.Stored part) throws IOException {
            Value now = objects.get(part.key());
            if (now == null || !now.version.equals(part.version())) {
                return changed(part);
            } else if (part.offset() > now.bytes.length - part.size()) {
                return pastTheEnd(part);
            }
            return Arrays.copyOfRange(now.bytes, (int) part.offset(), (int) (part.offset() + part.size()));
        }

        byte[] changed(Part.Stored part) throws IOException {
            throw new ObjectChangedException("changed: " + part);
        }

        byte[] pastTheEnd(Part.Stored part) throws IOException {
            throw new StoreException("past the end: " + part);
        }
    }

    @Test
    void rangeCopies() {
        Map<String, Supplier<? extends Store>> flaws = new HashMap<>();
        flaws.put("copiesRanges_saysSo", () -> new Joining() {
            @Override
            public boolean copiesRanges() {
                return false;
            }
        });
        flaws.put("put_ofRangesOfTheObjectItself_joinsThem", () -> new Joining() {
            @Override
            byte[] range(String target, Part.Stored part) throws IOException {
                return super.range(target, new Part.Stored(part.key(), part.version(), 0, part.size()));
            }
        });
        flaws.put("put_ofRangesOfOtherObjects_leavesThem", () -> new Joining() {
            @Override
            byte[] range(String target, Part.Stored part) throws IOException {
                byte[] found = super.range(target, part);
                objects.remove(part.key());
                return found;
            }
        });
        flaws.put("put_ofAWholeLargeObject_copiesIt", () -> new Joining() {
            @Override
            byte[] range(String target, Part.Stored part) throws IOException {
                byte[] found = super.range(target, part);
                return found.length > 8 << 20 ? new byte[found.length] : found;
            }
        });
        Supplier<Store> zeros = () -> new Joining() {
            @Override
            byte[] changed(Part.Stored part) {
                return new byte[(int) part.size()];
            }

            @Override
            byte[] pastTheEnd(Part.Stored part) {
                return new byte[(int) part.size()];
            }
        };
        flaws.put("put_ofAChangedObject_changesNothing", zeros);
        flaws.put("put_ofADeletedObject_changesNothing", zeros);
        flaws.put("put_ofARangePastTheEnd_failsAndChangesNothing", zeros);
        flaws.put("put_underACondition_holdsBoth", () -> new Joining() {
            @Override
            Condition condition(Condition asked) {
                return Condition.ANY;
            }
        });
        ContractRun.<Store>assertEachCanFail(
                store -> new RangeCopiesContract() {
                    @Override
                    protected Store freshStore() {
                        return store.get();
                    }
                },
                Joining::new,
                flaws);
    }

    /** Loses its objects when it is closed. */
    private static final class Clearing extends SmallStore {
        @Override
        public void close() {
            objects.clear();
        }
    }

    /** Can be closed once. */
    private static final class Closing extends SmallStore {
        private final AtomicInteger closed = new AtomicInteger();

        @Override
        public void close() {
            if (closed.incrementAndGet() > 1) {
                throw new IllegalStateException("closed already");
            }
        }
    }

    /** Gives zeros when it is closed. */
    private static final class Zeros extends SmallStore {
        private final Set<Thread> readers = ConcurrentHashMap.newKeySet();
        private volatile boolean closed;

        @Override
        void read(Value value, long offset, ByteBuffer into) throws IOException {
            if (!readers.add(Thread.currentThread())) {
                Waits.until(() -> closed);
            }
            super.read(closed ? value(new byte[value.bytes.length]) : value, offset, into);
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @Test
    void stores() {
        Map<String, Supplier<? extends SmallStore>> flaws = new HashMap<>();
        flaws.put("describe_always_saysTheSame", () -> new SmallStore() {
            @Override
            public String describe() {
                return "small:" + versions.incrementAndGet();
            }
        });
        flaws.put("reads_always_areTheSame", () -> new SmallStore() {
            @Override
            public Reads reads() {
                SmallStore store = this;
                return new LocalReads() {
                    @Override
                    public Optional<ObjectSnapshot> open(String key) throws IOException {
                        return store.open(key);
                    }
                };
            }
        });
        flaws.put("find_anyAbility_isSteady", () -> new SmallStore() {
            @Override
            public <A extends Ability> Optional<A> find(Class<A> ability) {
                boolean gone = ability == Locks.class && versions.incrementAndGet() % 2 == 0;
                return gone ? Optional.empty() : super.find(ability);
            }
        });
        flaws.put("find_blockingForm_comesWithTheAbility", () -> new SmallStore() {
            @Override
            public <A extends Ability> Optional<A> find(Class<A> ability) {
                return ability == Writes.class ? Optional.empty() : super.find(ability);
            }
        });
        flaws.put("need_absentAbility_namesTheStoreAndThePurpose", () -> new SmallStore() {
            @Override
            public <A extends Ability> Optional<A> find(Class<A> ability) {
                return ability == Locks.class ? Optional.empty() : super.find(ability);
            }

            @Override
            public <A extends Ability> A need(Class<A> ability, String need) {
                return find(ability).orElseThrow(() -> new UnsupportedException("cannot"));
            }
        });
        flaws.put("close_again_isNoError", Closing::new);
        flaws.put("close_byThreadsAtOnce_isNoError", Closing::new);
        flaws.put("close_always_leavesTheObjects", Clearing::new);
        flaws.put("close_ofOne_leavesAnother", Clearing::new);
        flaws.put("close_besideReads_endsEach", Zeros::new);
        ContractRun.<SmallStore>assertEachCanFail(Any::new, SmallStore::new, flaws);
    }

    private static final class Any extends StoreContract {
        private final SmallStore store;

        Any(Supplier<? extends SmallStore> store) {
            this.store = store.get();
        }

        @Override
        protected Store storeOf(Map<String, byte[]> objects) {
            objects.forEach((key, bytes) -> store.objects.put(key, store.value(bytes)));
            return store;
        }

        @Override
        protected Optional<Store> reopened() {
            return Optional.of(store);
        }
    }
}
