package dev.shardkit.testkit.store;

import static dev.shardkit.testkit.Waits.until;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Leftover;
import dev.shardkit.store.Store;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.ContractRun;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each test of the suites of forcing, removal, leftovers and places fails for a store with a flaw. */
@Tag("one-jdk")
class HousekeepingSuitesFailTest {
    @Test
    void forces() {
        Map<String, Supplier<? extends Store>> flaws = new HashMap<>();
        flaws.put("force_anyPrefix_changesNoObject", () -> new SmallStore() {
            @Override
            public void force(String prefix) {
                objects.replaceAll((key, value) -> value(value.bytes));
            }
        });
        flaws.put("force_nothing_isNoFailure", () -> new SmallStore() {
            @Override
            public void force(String prefix) {
                objects.put("forced", value(new byte[0]));
            }
        });
        flaws.put("force_besideWrites_isNoFailure", () -> new SmallStore() {
            private volatile boolean forced;

            @Override
            public void force(String prefix) {
                forced = true;
                if (!objects.isEmpty()) {
                    throw new StoreException("somebody writes");
                }
            }

            @Override
            public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                    throws IOException {
                if (forced) {
                    throw new StoreException("somebody forces");
                }
                return super.putNow(key, content, condition, durability);
            }
        });
        flaws.put("prefixes_illegal_areTheCallersMistake", CarelessStore::new);
        ContractRun.<Store>assertEachCanFail(
                store -> new DeviceSyncContract() {
                    @Override
                    protected Store freshStore() {
                        return store.get();
                    }
                },
                SmallStore::new,
                flaws);
    }

    @Test
    void prunes() {
        Map<String, Supplier<? extends Store>> flaws = new HashMap<>();
        flaws.put("deleteAll_prefix_removesAllBelow", () -> new SmallStore() {
            @Override
            public void deleteAll(String prefix) {
                objects.keySet().removeIf(key -> key.startsWith(below(prefix)) && !key.contains("__"));
            }
        });
        flaws.put("deleteAll_prefix_leavesAllBeside", () -> new SmallStore() {
            @Override
            public void deleteAll(String prefix) {
                objects.keySet().removeIf(key -> key.startsWith(prefix));
            }
        });
        flaws.put("deleteAll_root_removesAll", () -> new SmallStore() {
            @Override
            public void deleteAll(String prefix) {
                objects.keySet().removeIf(key -> key.startsWith(prefix + "/"));
            }
        });
        flaws.put("deleteAll_nothing_isNoFailure", () -> new SmallStore() {
            @Override
            public void deleteAll(String prefix) {
                if (objects.keySet().stream().noneMatch(key -> key.startsWith(prefix))) {
                    throw new StoreException("nothing there");
                }
            }
        });
        flaws.put("reserved_visitsTheObjectsThatListingsLeaveOut", () -> new SmallStore() {
            @Override
            public void reserved(String prefix, Consumer<String> names) {
                objects.keySet().forEach(names);
            }
        });
        flaws.put("put_afterDeleteAll_works", () -> new SmallStore() {
            private final Set<String> gone = new HashSet<>();

            @Override
            public void deleteAll(String prefix) {
                gone.addAll(objects.keySet());
                super.deleteAll(prefix);
            }

            @Override
            public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                    throws IOException {
                return gone.contains(key) ? WriteResult.DONE : super.putNow(key, content, condition, durability);
            }
        });
        flaws.put("deleteAll_besideALock_waitsForIt", () -> new SmallStore() {
            private volatile boolean removed;

            @Override
            public void deleteAll(String prefix) {
                objects.keySet().removeIf(key -> key.startsWith(below(prefix)));
                removed = true;
            }

            @Override
            public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                    throws IOException {
                if (locks.containsKey(key)) {
                    until(() -> removed);
                }
                return super.putNow(key, content, condition, durability);
            }
        });
        flaws.put("deleteAll_besideALock_waitsAsLongAsAsked", () -> new SmallStore() {
            @Override
            public void deleteAll(String prefix, Duration patience) {
                objects.keySet().removeIf(key -> key.startsWith(below(prefix)));
            }
        });
        flaws.put("prefixes_illegal_areTheCallersMistake", CarelessStore::new);
        ContractRun.<Store>assertEachCanFail(
                store -> new TreeDeletionsContract() {
                    @Override
                    protected Store freshStore() {
                        return store.get();
                    }
                },
                SmallStore::new,
                flaws);
    }

    @Test
    void sweeps() {
        Map<String, Supplier<? extends Store>> flaws = new HashMap<>();
        flaws.put("leftovers_afterPutsAndDeletes_areNone", () -> new SmallStore() {
            @Override
            public synchronized WriteResult deleteNow(String key, Condition condition) {
                temporary.put(key + "~", 10);
                return super.deleteNow(key, condition);
            }
        });
        flaws.put("leftovers_ofAKilledPut_areNamedOnce", () -> new SmallStore() {
            @Override
            public void leftovers(String prefix, Consumer<Leftover> leftovers) {
                super.leftovers(prefix, leftovers);
                super.leftovers(prefix, leftovers);
            }
        });
        flaws.put("remove_removesThatOneOnly", () -> new SmallStore() {
            @Override
            public boolean remove(Leftover leftover) {
                boolean removed = super.remove(leftover);
                temporary.clear();
                return removed;
            }
        });
        flaws.put("leftovers_besideARunningPut_leaveItAlone", () -> new SmallStore() {
            @Override
            public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                    throws IOException {
                temporary.put(key + "~", 0);
                WriteResult outcome = super.putNow(key, content, condition, durability);
                temporary.remove(key + "~");
                return outcome;
            }
        });
        flaws.put("prefixes_illegal_areTheCallersMistake", CarelessStore::new);
        ContractRun.<Store>assertEachCanFail(
                store -> new LeftoverCleanupContract() {
                    @Override
                    protected Store freshStore() {
                        return store.get();
                    }

                    @Override
                    protected void leaveTemporary(Store left, String prefix, int bytes) {
                        ((SmallStore) left).temporary.put(prefix + "/~" + bytes, bytes);
                    }
                },
                SmallStore::new,
                flaws);
    }

    @Test
    void locates() {
        Map<String, Supplier<? extends SmallStore>> flaws = new HashMap<>();
        flaws.put("locate_object_leadsToItsBytes", () -> new SmallStore() {
            @Override
            public Optional<Location> locate(String key) {
                return super.locate(key).map(place -> new Location(place.uri(), 1));
            }
        });
        flaws.put("locate_again_isTheSame", () -> new SmallStore() {
            @Override
            public Optional<Location> locate(String key) {
                return super.locate(key).map(place -> new Location(place.uri(), versions.incrementAndGet()));
            }
        });
        flaws.put("locate_absentObject_isNoFailure", () -> new SmallStore() {
            @Override
            public Optional<Location> locate(String key) {
                if (!objects.containsKey(key)) {
                    throw new UnsupportedException("no such object");
                }
                return super.locate(key);
            }
        });
        flaws.put("locate_uri_isAbsoluteAndWithoutCredentials", () -> new SmallStore() {
            @Override
            public Optional<Location> locate(String key) {
                return Optional.of(new Location(URI.create("small://user:secret@host/k"), 0));
            }
        });
        flaws.put("keys_illegal_areTheCallersMistake", () -> new SmallStore() {
            @Override
            public Optional<Location> locate(String key) {
                return Optional.empty();
            }
        });
        ContractRun.<SmallStore>assertEachCanFail(PlacesOf::new, SmallStore::new, flaws);
    }

    /** Reads places by the path of their URI. */
    private static final class PlacesOf extends ObjectLocationsContract {
        private final SmallStore store;

        PlacesOf(Supplier<? extends SmallStore> store) {
            this.store = store.get();
        }

        @Override
        protected Store storeOf(Map<String, byte[]> objects) {
            objects.forEach((key, bytes) -> store.objects.put(key, store.value(bytes)));
            return store;
        }

        @Override
        protected byte[] bytesAt(URI uri) {
            return store.objects.get(uri.getPath().substring(1)).bytes;
        }
    }
}
