package dev.shardkit.testkit.store;

import static dev.shardkit.testkit.Waits.until;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.store.Entry;
import dev.shardkit.store.Listings;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.ContractRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each test of the suites of listings and patches fails for a store with a flaw. */
@Tag("one-jdk")
class ListsAndPatchesFailTest {
    /** Changes the entries of each listing. */
    private abstract static class Changing extends SmallStore {
        abstract void changed(String prefix, List<Entry> all);

        @Override
        public void list(String prefix, Consumer<Entry> entries) {
            List<Entry> all = new ArrayList<>();
            super.list(prefix, all::add);
            changed(prefix, all);
            all.forEach(entries);
        }
    }

    @Test
    void lists() {
        Map<String, Supplier<? extends Store>> flaws = new HashMap<>();
        flaws.put("nothing_hasNoNames", () -> new Changing() {
            @Override
            void changed(String prefix, List<Entry> all) {
                all.add(new Entry("lost+found", Entry.Kind.OBJECT));
            }
        });
        flaws.put("one_namesObjectsAndPrefixes", () -> new Changing() {
            @Override
            void changed(String prefix, List<Entry> all) {
                all.replaceAll(e -> new Entry(e.name(), Entry.Kind.OBJECT));
            }
        });
        flaws.put("belowAnObject_isNothing", () -> new Changing() {
            @Override
            void changed(String prefix, List<Entry> all) {
                if (objects.containsKey(prefix)) {
                    all.add(new Entry(prefix.replaceAll(".*/", ""), Entry.Kind.OBJECT));
                }
            }
        });
        flaws.put("namesThatBeginAlike_areApart", () -> new Changing() {
            @Override
            void changed(String prefix, List<Entry> all) {
                if (objects.containsKey(prefix + "c")) {
                    all.add(new Entry("c", Entry.Kind.OBJECT));
                }
            }
        });
        flaws.put("all_namesObjectsBelow_relativeToThePrefix", () -> new SmallStore() {
            @Override
            public Names list(String prefix, Depth depth) {
                Names names = super.list(prefix, depth);
                return () -> names.next().thenApply(batch -> batch.stream()
                        .map(e -> new Entry(depth == Depth.ALL ? prefix + "/" + e.name() : e.name(), e.kind()))
                        .toList());
            }
        });
        flaws.put("manyNames_allCome", () -> new Changing() {
            @Override
            void changed(String prefix, List<Entry> all) {
                all.subList(Math.min(all.size(), 1000), all.size()).clear();
            }
        });
        flaws.put("oddCharacters_comeBack", () -> new Changing() {
            @Override
            void changed(String prefix, List<Entry> all) {
                all.replaceAll(e -> new Entry(e.name().replace("%2F", "/"), e.kind()));
            }
        });
        flaws.put("ownNames_areLeftOut_withAllBelow", () -> new SmallStore() {
            @Override
            boolean isListed(String name) {
                return true;
            }
        });
        flaws.put("sizesAndVersions_areThoseOfReads", () -> new Changing() {
            @Override
            void changed(String prefix, List<Entry> all) {
                all.replaceAll(e -> new Entry(e.name(), e.kind(), OptionalLong.of(1000), Optional.empty()));
            }
        });
        flaws.put("prefixes_illegal_areTheCallersMistake", () -> new SmallStore() {
            @Override
            public Names list(String prefix, Listings.Depth depth) {
                return new Names() {
                    @Override
                    public CompletionStage<List<Entry>> next() {
                        return CompletableFuture.completedFuture(List.of());
                    }
                };
            }
        });
        ContractRun.<Store>assertEachCanFail(
                store -> new ListingsContract() {
                    @Override
                    protected Store freshStore() {
                        return store.get();
                    }
                },
                SmallStore::new,
                flaws);
    }

    /** Carries out another patch than it was asked for. */
    private abstract static class Patching extends SmallStore {
        abstract Edit.Patch instead(Edit.Patch patch, Value old);

        @Override
        public synchronized void patch(String array, String key, Edit.Patch patch, Durability durability) {
            Value old = objects.getOrDefault(checked(key), value(new byte[0]));
            super.patch(array, key, instead(patch, old), durability);
        }

        static Edit.Patch with(Edit.Patch patch, long oldSize, List<Piece> appended, List<Edit.Write> overwritten) {
            return new Edit.Patch(
                    oldSize, appended, overwritten, patch.recovery(), patch.strategy(), patch.fallbackReason());
        }
    }

    private static Map<String, Supplier<? extends Store>> flawsOfContent() {
        Map<String, Supplier<? extends Store>> flaws = new HashMap<>();
        flaws.put("patch_anyPieces_makesTheContentOfThem", () -> new Patching() {
            @Override
            Edit.Patch instead(Edit.Patch patch, Value old) {
                return with(patch, patch.oldSize(), patch.appended(), List.of());
            }
        });
        flaws.put("patch_movedPiecesOfManyMegabytes_areCopied", () -> new Patching() {
            @Override
            Edit.Patch instead(Edit.Patch patch, Value old) {
                List<Piece> zeros = new ArrayList<>(patch.appended());
                zeros.replaceAll(p -> p.size() > 8 << 20 ? new Piece.Zeros(p.size()) : p);
                return with(patch, patch.oldSize(), zeros, patch.overwritten());
            }
        });
        flaws.put("patch_ofNothing_changesNoByte", () -> new Patching() {
            @Override
            Edit.Patch instead(Edit.Patch patch, Value old) {
                return with(patch, patch.oldSize(), List.of(new Piece.Zeros(1)), patch.overwritten());
            }
        });
        flaws.put("patch_ofALongerObject_cutsItFirst", () -> new Patching() {
            @Override
            Edit.Patch instead(Edit.Patch patch, Value old) {
                return with(patch, old.bytes.length, patch.appended(), patch.overwritten());
            }
        });
        flaws.put("patch_ofAShorterObjectOrNone_isTold_andNothingTouched", () -> new Patching() {
            @Override
            Edit.Patch instead(Edit.Patch patch, Value old) {
                objects.computeIfPresent("a/c/0/1", (k, v) -> value(new byte[(int) patch.oldSize()]));
                return patch;
            }
        });
        flaws.put("patch_thatReachesOutOfTheObject_isTheCallersMistake_andNothingTouched", () -> new SmallStore() {
            @Override
            public synchronized void patch(String array, String key, Edit.Patch patch, Durability durability) {
                try {
                    super.patch(array, key, patch, durability);
                } catch (IllegalArgumentException e) {
                    objects.put(key, value(new byte[7]));
                }
            }
        });
        return flaws;
    }

    /** The second patch is seen half made by a reader, and nothing tells. */
    private static final class Torn extends SmallStore {
        private final AtomicInteger patches = new AtomicInteger();
        private final AtomicInteger opened = new AtomicInteger();

        @Override
        public Optional<ObjectSnapshot> open(String key) throws IOException {
            Optional<ObjectSnapshot> found = super.open(key);
            opened.incrementAndGet();
            return found;
        }

        @Override
        public void patch(String array, String key, Edit.Patch patch, Durability durability) {
            if (patches.incrementAndGet() == 2) {
                byte[] half = objects.get(key).bytes.clone();
                Arrays.fill(half, 0, half.length / 2, (byte) 77);
                objects.put(key, value(half));
                int before = opened.get();
                until(() -> opened.get() > before + 1);
            }
            super.patch(array, key, patch, durability);
        }

        @Override
        void confirm(Value value) {
            return; // believes all
        }
    }

    @Test
    void patches() {
        Map<String, Supplier<? extends Store>> flaws = flawsOfContent();
        flaws.put("patch_quickOnes_eachMakeANewVersion", () -> new SmallStore() {
            @Override
            public synchronized void patch(String array, String key, Edit.Patch patch, Durability durability) {
                super.patch(array, key, patch, durability);
                objects.computeIfPresent(key, (k, v) -> new Value(this, v.bytes, "1"));
            }
        });
        flaws.put("confirm_tellsOfAPatch_whateverCameAfterIt", () -> new SmallStore() {
            @Override
            void confirm(Value value) {
                if (value.changed && !objects.isEmpty()) {
                    throw new ObjectChangedException("changed in place");
                }
            }
        });
        flaws.put("readers_whoConfirm_seeOldOrNew", Torn::new);
        flaws.put("recover_withNothingToDo_saysSo", () -> new SmallStore() {
            @Override
            public Recovered recover(String array, String key) {
                return objects.containsKey(key) ? Recovered.FROM_JOURNAL : Recovered.NOTHING;
            }
        });
        flaws.put("openToChange_readsAsOpenDoes", () -> new SmallStore() {
            @Override
            public Optional<ObjectSnapshot> openToChange(String key) {
                return Optional.of(value(new byte[3]));
            }
        });
        flaws.put("deleteAll_leavesNothingOfPatches", () -> new SmallStore() {
            @Override
            public synchronized void patch(String array, String key, Edit.Patch patch, Durability durability) {
                super.patch(array, key, patch, durability);
                objects.put("journals/" + key, value(new byte[1]));
            }
        });
        ContractRun.<Store>assertEachCanFail(
                store -> new PatchesContract() {
                    @Override
                    protected Store freshStore() {
                        return store.get();
                    }
                },
                SmallStore::new,
                flaws);
    }
}
