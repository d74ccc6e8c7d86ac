package dev.shardkit.testkit.store;

import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Ability;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Patches;
import dev.shardkit.store.Store;
import dev.shardkit.store.WriteOnce;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.ContractRun;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Each test of the suite of write-once stores fails for a store with a flaw. */
class WriteOnceSuiteFailTest {
    /** A write-once store of its own, in few lines. */
    private static class Once extends SmallStore implements WriteOnce {
        @Override
        public <A extends Ability> Optional<A> find(Class<A> ability) {
            Set<String> kept = Set.of("WriteOnce", "Writes", "BlockingWrites", "Listings", "BlockingListings", "Locks");
            return kept.contains(ability.getSimpleName()) ? super.find(ability) : Optional.empty();
        }

        @Override
        public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                throws IOException {
            WriteResult outcome = super.putNow(key, content, Condition.ABSENT, durability);
            if (outcome instanceof WriteResult.NotMet && !(condition instanceof Condition.Absent)) {
                throw WriteOnce.refused(this, key);
            }
            return outcome;
        }

        @Override
        public WriteResult deleteNow(String key, Condition condition) {
            if (objects.containsKey(checked(key))) {
                throw WriteOnce.refused(this, key);
            }
            return WriteResult.NOTHING;
        }
    }

    @Test
    void writeOnce() {
        Map<String, Supplier<? extends Store>> flaws = new HashMap<>();
        flaws.put("isMarked_andLacksWhatReplaces", () -> new Once() {
            @Override
            public <A extends Ability> Optional<A> find(Class<A> ability) {
                return ability == Patches.class ? Optional.of(ability.cast(this)) : super.find(ability);
            }
        });
        flaws.put("put_freeKeys_storesThem", () -> new Once() {
            @Override
            public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                    throws IOException {
                return content.size() == 0 ? WriteResult.DONE : super.putNow(key, content, condition, durability);
            }
        });
        flaws.put("put_storedKey_isRefused_andNamesTheKey", () -> new Once() {
            @Override
            public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                    throws IOException {
                try {
                    return super.putNow(key, content, condition, durability);
                } catch (UnsupportedException e) {
                    throw new UnsupportedException("this write-once store keeps its objects", e);
                }
            }
        });
        flaws.put("putIfAbsent_storedKey_isNotMet", () -> new Once() {
            @Override
            public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                    throws IOException {
                return super.putNow(key, content, Condition.ANY, durability);
            }
        });
        flaws.put("delete_storedKey_isRefused", () -> new Once() {
            @Override
            public WriteResult deleteNow(String key, Condition condition) {
                return objects.remove(checked(key)) == null ? WriteResult.NOTHING : WriteResult.DONE;
            }
        });
        flaws.put("delete_freeKey_findsNothing", () -> new Once() {
            @Override
            public WriteResult deleteNow(String key, Condition condition) {
                throw WriteOnce.refused(this, key);
            }
        });
        flaws.put("put_contentThatFails_leavesTheKeyFree", () -> new Once() {
            @Override
            public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                    throws IOException {
                try {
                    return super.putNow(key, content, condition, durability);
                } catch (IllegalStateException e) {
                    objects.put(key, value(new byte[0]));
                    throw e;
                }
            }
        });
        flaws.put("puts_ofOneKey_byManyThreads_storeOne", () -> new Once() {
            @Override
            public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                    throws IOException {
                objects.remove(key); // the last thread wins
                return super.putNow(key, content, condition, durability);
            }
        });
        ContractRun.<Store>assertEachCanFail(Suite::new, Once::new, flaws);
    }

    private static final class Suite extends WriteOnceContract {
        private final Supplier<? extends Store> store;

        Suite(Supplier<? extends Store> store) {
            this.store = store;
        }

        @Override
        protected Store freshStore() {
            return store.get();
        }
    }
}
