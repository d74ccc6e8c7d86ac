package dev.shardkit.testkit.store;

import static dev.shardkit.testkit.Waits.until;

import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.ContractRun;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each test of the suites of copies and moves fails for a store with a flaw. */
@Tag("one-jdk")
class CopiesAndMovesFailTest {
    /** A store that counts how often each key is opened. */
    private static class Counting extends SmallStore {
        final AtomicInteger opened = new AtomicInteger();
        volatile boolean missed;

        @Override
        public Optional<ObjectSnapshot> open(String key) throws IOException {
            Optional<ObjectSnapshot> found = super.open(key);
            opened.incrementAndGet();
            missed |= found.isEmpty();
            return found;
        }
    }

    @Test
    void copies() {
        Map<String, Supplier<? extends Store>> flaws = new HashMap<>();
        flaws.put("copy_anySize_hasTheSameBytes", () -> new SmallStore() {
            @Override
            public boolean copy(String from, String to, Durability durability) {
                super.copy(from, to, durability);
                objects.computeIfPresent(to, (k, v) -> v.bytes.length > 1 ? value(new byte[v.bytes.length]) : v);
                return true;
            }
        });
        flaws.put("copy_ofNothing_isFalseAndChangesNothing", () -> new SmallStore() {
            @Override
            public boolean copy(String from, String to, Durability durability) {
                super.copy(from, to, durability);
                return true;
            }
        });
        flaws.put("copy_overAnObject_replacesIt", () -> new SmallStore() {
            @Override
            public boolean copy(String from, String to, Durability durability) {
                return objects.containsKey(to) || super.copy(from, to, durability);
            }
        });
        flaws.put("copy_ontoItself_changesNoByte", () -> new SmallStore() {
            @Override
            public boolean copy(String from, String to, Durability durability) {
                objects.remove(to);
                return super.copy(from, to, durability);
            }
        });
        flaws.put("put_afterACopy_changesOneOfThem", Aliasing::new);
        flaws.put("delete_afterACopy_removesOneOfThem", Aliasing::new);
        flaws.put("copy_besideAReader_isSeenWholeOrNotAtAll", () -> new Counting() {
            @Override
            public boolean copy(String from, String to, Durability durability) {
                objects.remove(to);
                until(() -> missed);
                return super.copy(from, to, durability);
            }
        });
        flaws.put("keys_illegal_areTheCallersMistake", CarelessStore::new);
        ContractRun.<Store>assertEachCanFail(
                store -> new CopiesContract() {
                    @Override
                    protected Store freshStore() {
                        return store.get();
                    }
                },
                SmallStore::new,
                flaws);
    }

    /** Two names of an object stay two names of it. */
    private static final class Aliasing extends SmallStore {
        private final Map<String, String> names = new HashMap<>();

        @Override
        public boolean copy(String from, String to, Durability durability) {
            names.put(from, to);
            return super.copy(from, to, durability);
        }

        @Override
        public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                throws IOException {
            WriteResult outcome = super.putNow(key, content, condition, durability);
            Optional.ofNullable(names.get(key)).ifPresent(to -> objects.put(to, objects.get(key)));
            return outcome;
        }

        @Override
        public synchronized WriteResult deleteNow(String key, Condition condition) {
            Optional.ofNullable(names.get(key)).ifPresent(objects::remove);
            return super.deleteNow(key, condition);
        }
    }

    @Test
    void moves() {
        Map<String, Supplier<? extends Store>> flaws = new HashMap<>();
        flaws.put("takeOver_anySize_movesIt", () -> new SmallStore() {
            @Override
            public boolean takeOver(Store source, String from, String key, Durability durability) {
                SmallStore.Value kept = ((SmallStore) source).objects.get(from);
                boolean moved = super.takeOver(source, from, key, durability);
                ((SmallStore) source).objects.put(from, kept);
                return moved;
            }
        });
        flaws.put("takeOver_withinTheStore_movesIt", () -> new SmallStore() {
            @Override
            public boolean takeOver(Store source, String from, String key, Durability durability) {
                return source != this && super.takeOver(source, from, key, durability);
            }
        });
        flaws.put("takeOver_ofNothing_isFalse", () -> new SmallStore() {
            @Override
            public boolean takeOver(Store source, String from, String key, Durability durability) {
                super.takeOver(source, from, key, durability);
                return true;
            }
        });
        flaws.put("takeOver_ontoAnObject_isRefused_andBothStay", () -> new SmallStore() {
            @Override
            public boolean takeOver(Store source, String from, String key, Durability durability) {
                objects.remove(key);
                return super.takeOver(source, from, key, durability);
            }
        });
        flaws.put("takeOver_fromAnotherKindOfStore_isUnsupported", () -> new SmallStore() {
            @Override
            public boolean takeOver(Store source, String from, String key, Durability durability) {
                return source instanceof SmallStore && super.takeOver(source, from, key, durability);
            }
        });
        flaws.put("takeOverTree_movesAllOrNothing", () -> new SmallStore() {
            @Override
            public boolean takeOverTree(Store source) {
                return source instanceof SmallStore other && super.takeOver(other, "a/c/0", "a/c/0", Durability.ATOMIC);
            }
        });
        flaws.put("takeOver_besideAReader_losesNothing", () -> new Counting() {
            @Override
            public boolean takeOver(Store source, String from, String key, Durability durability) {
                SmallStore.Value found = ((SmallStore) source).objects.remove(from);
                int before = opened.get();
                until(() -> opened.get() > before);
                objects.put(key, value(found.bytes));
                return true;
            }
        });
        flaws.put("keys_illegal_areTheCallersMistake", CarelessStore::new);
        ContractRun.<Store>assertEachCanFail(
                store -> new MovesContract() {
                    @Override
                    protected Store freshStore() {
                        return store.get();
                    }

                    @Override
                    protected Store secondStore() {
                        return new SmallStore();
                    }
                },
                SmallStore::new,
                flaws);
    }
}
