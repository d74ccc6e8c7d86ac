package dev.shardkit.maintenance.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.ResizePolicy;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.RepairStep;
import dev.shardkit.maintenance.check.Repair;
import dev.shardkit.maintenance.concat.Concatenation;
import dev.shardkit.maintenance.convert.Conversion;
import dev.shardkit.maintenance.destination.Destination;
import dev.shardkit.maintenance.relayout.Relayout;
import dev.shardkit.maintenance.relayout.Replacement;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Ability;
import dev.shardkit.store.BlockingListings;
import dev.shardkit.store.BlockingWrites;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Copies;
import dev.shardkit.store.DeviceSync;
import dev.shardkit.store.Entry;
import dev.shardkit.store.ForwardingStore;
import dev.shardkit.store.LeftoverCleanup;
import dev.shardkit.store.Listings;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Moves;
import dev.shardkit.store.ObjectLocations;
import dev.shardkit.store.Patches;
import dev.shardkit.store.Reads;
import dev.shardkit.store.StagedPuts;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoredChecksums;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.Writes;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.store.policy.WriteOwnership;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** An operation that needs an ability which the store lacks says so before it changes anything. */
class MissingAbilitiesTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults().withDurability(Durability.ATOMIC);

    private final MemoryStore behind = MemoryStore.create();

    /** A store without some abilities. */
    private static final class Lacking extends ForwardingStore {
        private final Set<Class<?>> missing;

        Lacking(Store store, Set<Class<?>> missing) {
            super(store);
            this.missing = missing;
        }

        @Override
        public String describe() {
            return "poor:";
        }

        @Override
        public <A extends Ability> Optional<A> find(Class<A> ability) {
            return missing.contains(ability) ? Optional.empty() : super.find(ability);
        }
    }

    private Store without(Class<?>... abilities) {
        return new Lacking(behind, Set.of(abilities));
    }

    @BeforeEach
    void makeNodes() {
        Zarr.createGroup(behind, "", Json.object(), IfExists.REFUSE, OPTIONS);
        ArraySpec spec = ArraySpec.of("int32", 64).withChunkShape(4).withShardShape(16);
        ZarrArray array = Zarr.createArray(behind, "a", spec, IfExists.REFUSE, OPTIONS);
        array.write(Box.of(new long[] {0}, new long[] {64}), new int[64], 0);
    }

    /** All objects with their versions. */
    private Map<String, String> state() throws Exception {
        Map<String, String> all = new HashMap<>();
        BlockingStore access = BlockingStore.to(behind);
        access.listAll("", entry -> all.put(entry.name(), entry.version().orElse("")));
        return all;
    }

    private void refuses(String expected, Executable operation) throws Exception {
        Map<String, String> before = state();
        UnsupportedException e = assertThrows(UnsupportedException.class, operation, expected);
        assertTrue(e.getMessage().contains("the store poor: cannot " + expected), e.getMessage());
        assertEquals(before, state(), "changed before it was refused: " + expected);
    }

    private ZarrArray array(Store store) {
        return Zarr.openArray(store, "a", OPTIONS);
    }

    @Test
    void storeThatDoesNotWrite() throws Exception {
        Store store = without(Writes.class);
        ZarrArray array = array(store);
        ArraySpec spec = ArraySpec.of("int8", 4);
        Box box = Box.of(new long[] {1}, new long[] {2});
        refuses("write objects; writing elements needs this", () -> array.write(box, new int[2], 0));
        refuses("write objects; erasing elements needs this", () -> array.erase(box));
        refuses(
                "write objects; creating an array or group needs this",
                () -> Zarr.createArray(store, "b", spec, IfExists.REFUSE, OPTIONS));
        refuses(
                "write objects; creating an array or group needs this",
                () -> Zarr.createGroup(store, "g", Json.object(), IfExists.REFUSE, OPTIONS));
        refuses(
                "write objects; changing an array or group needs this",
                () -> array.resize(new long[] {4}, ResizePolicy.REMOVE));
        refuses("write objects; making a new array or group needs this", () -> Destination.of(store));
        refuses("write objects; converting an array or group needs this", () -> Conversion.to(behind, store, OPTIONS));
        refuses("write objects; keeping a backup needs this", () -> Repair.of(array)
                .withBackup(store));
        refuses("write objects; repairing an array needs this", () -> Repair.of(array)
                .run(Mode.APPLY, step -> {}));
    }

    @Test
    void storeThatDoesNotDeleteTrees() throws Exception {
        Store store = without(TreeDeletions.class);
        ArraySpec spec = ArraySpec.of("int8", 4);
        refuses("delete all objects below a prefix; deleting an array or group needs this", () -> array(store)
                .delete());
        refuses(
                "delete all objects below a prefix; replacing an array or group needs this",
                () -> Zarr.createArray(store, "a", spec, IfExists.OVERWRITE, OPTIONS));
        refuses(
                "delete all objects below a prefix; replacing an array or group needs this",
                () -> Copy.of(array(behind)).overwriting().to(store, OPTIONS));
        refuses(
                "delete all objects below a prefix; changing the layout of an array needs this",
                () -> relayout(array(store)).run(Mode.APPLY, change -> {}));
    }

    private static List<Concatenation.Source> sources(Store store) {
        return List.of(new Concatenation.Source(store, "a"));
    }

    @Test
    void storeThatDoesNotMove() throws Exception {
        MemoryStore target = MemoryStore.create();
        Store unmoving = new Lacking(target, Set.of(Moves.class));
        refuses(
                "move objects from another store; concatenating arrays by moving their objects (copy them "
                        + "instead) needs this",
                () -> Concatenation.moving(sources(behind), 0, OPTIONS).to(unmoving, "new"));
        refuses(
                "delete all objects below a prefix; removing an array whose objects were moved needs this",
                () -> Concatenation.moving(sources(without(TreeDeletions.class)), 0, OPTIONS)
                        .to(target, "new"));
    }

    private static Relayout relayout(ZarrArray array) {
        return Relayout.of(array, dev.shardkit.maintenance.layout.ShardLayout.unsharded());
    }

    @Test
    void storeThatDoesNotList() throws Exception {
        Store store = without(Listings.class, BlockingListings.class);
        ZarrGroup root = Zarr.openGroup(store, "", OPTIONS);
        refuses("list objects; finding the children of a group needs this", root::children);
        refuses("list objects; changing the layout of an array needs this", () -> relayout(array(store))
                .run(Mode.APPLY, change -> {}));
        refuses("list objects; finding out whether the place is empty needs this", () -> Copy.of(array(behind))
                .to(store, OPTIONS));
        refuses(
                "list objects; finding out whether the target of a conversion is empty needs this",
                () -> Conversion.to(behind, store, OPTIONS));
        refuses(
                "list objects; finding out whether the target of a concatenation is empty needs this",
                () -> Concatenation.copying(sources(behind), 0, OPTIONS).to(store, "new"));
    }

    @Test
    void storeThatDoesNotListOrLock_refusesLargeErasures() throws Exception {
        ArraySpec spec = ArraySpec.of("int32", 1L << 40).withChunkShape(1).withShardShape(1);
        Zarr.createArray(behind, "large", spec, IfExists.REFUSE, OPTIONS);
        ZarrArray large = Zarr.openArray(without(Listings.class, BlockingListings.class), "large", OPTIONS);
        refuses("list objects, which finding the stored chunks", () -> large.erase(large.domain()));
    }

    @Test
    void storeWithoutLocksAndConditions_hasReplacementsByOwners() throws Exception {
        Store store = new Lacking(new Unguarded(behind), Set.of(Locks.class));
        UnsupportedException e = assertThrows(
                UnsupportedException.class, () -> Replacement.begin(store, List.of("a"), new long[] {8}, OPTIONS));
        assertTrue(
                e.getMessage()
                        .contains("replacing the elements of an array needs locks or conditional puts, and the store"),
                e.getMessage());
        assertTrue(behind.open("__unfinished").isEmpty());
        Replacement.begin(store, List.of("a"), new long[] {8}, OPTIONS.withOwnership(WriteOwnership.OWNED))
                .commit();
        assertEquals(8, Zarr.openArray(store, "a", OPTIONS).shape()[0]);
    }

    @Test
    void storeWithoutLocksAndConditions_isForOwners() throws Exception {
        Store store = new Lacking(new Unguarded(behind), Set.of(Locks.class));
        ZarrArray shared = Zarr.openArray(store, "a", OPTIONS);
        UnsupportedException e =
                assertThrows(UnsupportedException.class, () -> shared.write(shared.domain(), new int[64], 0));
        assertTrue(
                e.getMessage()
                        .startsWith("the store poor: has neither locks nor conditional puts, which concurrent "
                                + "writers need"),
                e.getMessage());
        ZarrArray owned = Zarr.openArray(store, "a", OPTIONS.withOwnership(WriteOwnership.OWNED));
        owned.write(Box.of(new long[] {3}, new long[] {1}), new int[] {7}, 0);
        assertEquals(7, owned.read().ints()[3]);
    }

    @Test
    void strayChunks_withoutLocksAndConditions_areDeleted_andTheStepSaysThatNothingProtectsStreams() throws Exception {
        assertTrue(BlockingStore.to(behind).copy("a/zarr.json", "a/c/9", Durability.ATOMIC));
        Store store = new Lacking(new Unguarded(behind), Set.of(Locks.class));
        List<RepairStep> steps = new ArrayList<>();
        Repair.of(Zarr.openArray(store, "a", OPTIONS)).droppingStrays().run(Mode.APPLY, steps::add);
        assertEquals(1, steps.size(), steps.toString());
        assertEquals(RepairStep.Kind.DROP_STRAY, steps.get(0).kind());
        assertTrue(steps.get(0).reason().contains("has neither locks nor conditional deletes"), steps.toString());
        assertTrue(BlockingStore.to(behind).open("a/c/9").isEmpty());
    }

    /** A store that supports no conditions. */
    private record Unguarded(MemoryStore store) implements Store, BlockingWrites, BlockingListings, TreeDeletions {
        @Override
        public void deleteAll(String prefix) {
            store.deleteAll(prefix);
        }

        @Override
        public String describe() {
            return "unguarded:";
        }

        @Override
        public Reads reads() {
            return store.reads();
        }

        @Override
        public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                throws IOException {
            return store.putNow(key, content, condition, durability);
        }

        @Override
        public WriteResult deleteNow(String key, Condition condition) {
            return store.deleteNow(key, condition);
        }

        @Override
        public void list(String prefix, Consumer<Entry> entries) throws IOException {
            store.list(prefix, entries);
        }
    }

    /** Each ability has a description. */
    @Test
    void need_eachAbility_saysWhatTheStoreCannotDo() {
        Map<Class<? extends Ability>, String> words = new HashMap<>();
        for (Class<? extends Ability> ability : List.of(
                Writes.class,
                BlockingWrites.class,
                Listings.class,
                BlockingListings.class,
                Locks.class,
                Patches.class,
                StagedPuts.class,
                Copies.class,
                Moves.class,
                DeviceSync.class,
                TreeDeletions.class,
                LeftoverCleanup.class,
                StoredChecksums.class,
                ObjectLocations.class)) {
            UnsupportedException e = assertThrows(
                    UnsupportedException.class, () -> without(ability).need(ability, "a test"));
            words.put(ability, e.getMessage());
            assertTrue(e.getMessage().startsWith("the store poor: cannot "), e.getMessage());
            assertTrue(e.getMessage().endsWith("; a test needs this"), e.getMessage());
            assertFalse(e.getMessage().contains("dev.shardkit"), e.getMessage());
        }
        assertEquals(words.get(Listings.class), words.get(BlockingListings.class));
        assertEquals(words.get(Writes.class), words.get(BlockingWrites.class));
        assertEquals(12, Set.copyOf(words.values()).size());
    }

    /** An ability that a plug-in defines. */
    interface Glows extends Ability {}

    @Test
    void need_anAbilityOfAPlugIn_isNamedByItsClass() {
        UnsupportedException e = assertThrows(UnsupportedException.class, () -> behind.need(Glows.class, "a test"));
        assertTrue(e.getMessage().contains(Glows.class.getName()), e.getMessage());
    }
}
