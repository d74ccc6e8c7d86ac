package dev.shardkit.maintenance.relayout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.ResizePolicy;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.RepairStep;
import dev.shardkit.maintenance.TestObjects;
import dev.shardkit.maintenance.check.Finding;
import dev.shardkit.maintenance.check.Repair;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Locks;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.store.policy.WriteOwnership;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Replacements of all elements that are stopped, or that collide with another program: readers find either the old or
 * the new elements.
 */
@Timeout(120)
class ReplacementTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults().withDurability(Durability.ATOMIC);
    private static final List<String> PATHS = List.of("g/a", "g/b");
    private static final int[] OLD = IntStream.rangeClosed(1, 64).toArray();
    private static final int[] NEW = IntStream.rangeClosed(101, 148).toArray();

    private static MemoryStore made(MemoryStore store, String keys) {
        Zarr.createGroup(store, "", Json.object(), IfExists.REFUSE, OPTIONS);
        Zarr.createGroup(store, "g", Json.object(), IfExists.REFUSE, OPTIONS);
        for (String path : PATHS) {
            ZarrArray array = Zarr.createArray(store, path, spec(keys), IfExists.REFUSE, OPTIONS);
            array.write(array.domain(), OLD, 0);
            array.changeAttributes(now -> now.with("unit", Json.of("m")));
        }
        Zarr.openGroup(store, "", OPTIONS).consolidate();
        return store;
    }

    private static ArraySpec spec(String keys) {
        return ArraySpec.of("int32", 8, 8)
                .withChunkShape(2, 2)
                .withShardShape(4, 4)
                .withChunkKeyEncoding(Codecs.named(keys, Json.object().with("separator", Json.of("/"))));
    }

    private static Replacement begun(Store store) {
        Replacement replacement = Replacement.begin(store, PATHS, new long[] {6, 8}, OPTIONS);
        ZarrOptions owned = OPTIONS.withOwnership(WriteOwnership.OWNED);
        replacement.arrays().forEach((path, metadata) -> {
            ZarrArray array = Zarr.openArray(store, path, metadata, owned);
            array.write(array.domain(), NEW, 0);
        });
        return replacement;
    }

    private static int[] read(Store store, String path) {
        return Zarr.openArray(store, path, OPTIONS).read().ints();
    }

    private static void assertOldOrNew(int[] found, String when) {
        assertArrayEquals(found.length == OLD.length ? OLD : NEW, found, when);
    }

    /** Returns the names of all objects. */
    private static TreeSet<String> objects(Store store) throws IOException {
        TreeSet<String> names = new TreeSet<>();
        BlockingStore.to(store).listAll("", entry -> names.add(entry.name()));
        return names;
    }

    private static void assertClean(Store store, String when) {
        List<Finding> findings = new ArrayList<>();
        Verification.of(Zarr.openGroup(store, "", OPTIONS)).run(findings::add);
        assertEquals(List.of(), findings, when);
    }

    private static List<RepairStep> repaired(Store store, Mode mode) {
        List<RepairStep> steps = new ArrayList<>();
        Repair.of(Zarr.openGroup(store, "", OPTIONS)).run(mode, steps::add);
        return steps;
    }

    /**
     * Repair reports the arrays of an interrupted replacement, and completes it or rolls it back as its record says.
     */
    @Test
    void repair_ofAnInterruptedReplacement_endsItAsItsRecordSays() throws IOException {
        boolean[] seen = new boolean[2];
        for (long changes = 0; !(seen[0] && seen[1]); changes++) {
            MemoryStore store = made(MemoryStore.create(), "default");
            try {
                begun(new StoppingStore(store, changes)).commit();
                throw new AssertionError("not stopped before change " + changes);
            } catch (StoreException e) {
                // Stopped on purpose.
            }
            Optional<String> record = text(store, "__unfinished");
            List<RepairStep> named = repaired(store, Mode.DRY_RUN);
            assertEquals(record, text(store, "__unfinished"));
            if (record.isEmpty()) {
                continue;
            }
            boolean committed = record.get().contains("\"committed\"");
            seen[committed ? 1 : 0] = true;
            assertEquals(
                    PATHS,
                    named.stream().map(RepairStep::array).distinct().sorted().toList());
            assertTrue(named.get(0).reason().contains(committed ? "was committed" : "was not committed"));
            List<RepairStep> done = repaired(store, Mode.APPLY);
            assertEquals(RepairStep.Kind.END_CHANGE, done.get(0).kind());
            assertEquals(Optional.empty(), text(store, "__unfinished"));
            for (String path : PATHS) {
                assertArrayEquals(committed ? NEW : OLD, read(store, path), "stopped before change " + changes);
            }
            assertEquals(List.of(), repaired(store, Mode.APPLY));
            assertClean(store, "repaired");
        }
    }

    private static Optional<String> text(Store store, String key) throws IOException {
        Optional<ObjectSnapshot> found = BlockingStore.to(store).open(key);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        try (ObjectSnapshot object = found.get()) {
            ByteBuffer all = ByteBuffer.allocate((int) object.size());
            object.read(0, all);
            return Optional.of(new String(all.array(), StandardCharsets.UTF_8).replaceAll("\\s", ""));
        }
    }

    @Test
    void stoppedAtAnyMoment_eachArrayIsOldOrNew_andTheNextCallEndsIt() throws IOException {
        boolean[] seen = new boolean[3];
        long changes = 0;
        while (!stopped(changes, seen)) {
            changes++;
        }
        assertTrue(changes > 20 && seen[0] && seen[1] && seen[2], changes + " changes");
    }

    /**
     * Stops a replacement before a change of the store, and runs another one.
     *
     * @param seen records each number of switched arrays that occurred
     * @return whether the replacement ended before that change
     */
    private static boolean stopped(long changes, boolean[] seen) throws IOException {
        MemoryStore store = made(MemoryStore.create(), changes % 3 == 0 ? "v2" : "default");
        TreeSet<String> before = objects(store);
        String when = "stopped before change " + changes;
        boolean done = true;
        try {
            begun(new StoppingStore(store, changes)).commit();
        } catch (StoreException e) {
            done = false;
        }
        int switched = 0;
        for (String path : PATHS) {
            int[] found = read(store, path);
            assertOldOrNew(found, when);
            switched += found.length == NEW.length ? 1 : 0;
            assertOldOrNew(consolidated(store, path), when + ", by consolidated metadata");
        }
        seen[switched] = true;
        if (changes % 2 == 0) {
            Replacement.settle(store, OPTIONS);
            int[] expected = read(store, "g/a");
            assertArrayEquals(expected, read(store, "g/b"), when);
            assertTrue(switched == 0 || expected.length == NEW.length, when + ": what was new stays new");
            if (expected.length == OLD.length) {
                assertEquals(before, objects(store), when);
            }
            assertClean(store, when);
        }
        begun(store).commit();
        assertArrayEquals(NEW, read(store, "g/a"), when);
        assertArrayEquals(NEW, consolidated(store, "g/b"), when);
        assertEquals(before.size(), objects(store).size(), when + objects(store));
        assertClean(store, when);
        return done;
    }

    private static int[] consolidated(Store store, String path) {
        return Zarr.openGroup(store, "", OPTIONS).array(path).read().ints();
    }

    @Test
    void attributesOfMeanwhileStay_andTheManifestGoes() {
        MemoryStore store = made(MemoryStore.create(), "default");
        ZarrArray array = Zarr.openArray(store, "g/a", OPTIONS);
        array.nonemptyChunks().rebuild();
        Replacement replacement = begun(store);
        Zarr.openArray(store, "g/a", OPTIONS).changeAttributes(now -> now.with("unit", Json.of("km")));
        replacement.commit();
        assertEquals(
                Json.object().with("unit", Json.of("km")),
                Zarr.openArray(store, "g/a", OPTIONS).attributes());
    }

    @Test
    void secondReplacement_endsTheFirst() {
        MemoryStore store = made(MemoryStore.create(), "default");
        Replacement first = begun(store);
        assertTrue(Replacement.isRunning(store, first.id()));
        Replacement second = begun(store);
        assertFalse(Replacement.isRunning(store, first.id()));
        StoreException e = assertThrows(StoreException.class, first::commit);
        assertTrue(e.getMessage().contains("this replacement has ended: another replacement"), e.getMessage());
        first.close();
        assertArrayEquals(OLD, read(store, "g/a"));
        second.commit();
        assertArrayEquals(NEW, read(store, "g/b"));
    }

    @Test
    void endedReplacement_thatStillWrites_changesNothing() {
        MemoryStore store = made(MemoryStore.create(), "default");
        Replacement first = begun(store);
        Replacement second = begun(store);
        first.arrays().forEach((path, metadata) -> {
            ZarrArray late = Zarr.openArray(store, path, metadata, OPTIONS.withOwnership(WriteOwnership.OWNED));
            late.write(late.domain(), new int[NEW.length], 0);
        });
        second.commit();
        assertArrayEquals(NEW, read(store, "g/a"));
        assertArrayEquals(NEW, read(store, "g/b"));
        begun(store).commit();
        assertArrayEquals(NEW, read(store, "g/a"), "the chunks of the first one are in nobody's way");
    }

    /** Arrays of one dimension have the same keys of {@code v2} with both separators. */
    @ParameterizedTest
    @ValueSource(strings = {"default", "v2"})
    void endedReplacement_ofOneDimension_changesNothing(String keys) {
        MemoryStore store = MemoryStore.create();
        ArraySpec spec =
                ArraySpec.of("int32", 4).withChunkShape(1).withChunkKeyEncoding(Json.extension(keys, Json.object()));
        Zarr.createArray(store, "a", spec, IfExists.REFUSE, OPTIONS);
        Replacement first = Replacement.begin(store, List.of("a"), new long[] {4}, OPTIONS);
        Replacement second = Replacement.begin(store, List.of("a"), new long[] {4}, OPTIONS);
        int[] values = {1, 2, 3, 4};
        write(store, second, values);
        write(store, first, new int[] {-1, -1, -1, -1});
        second.commit();
        assertArrayEquals(values, read(store, "a"));
    }

    /** A program that opened an array before, or whose replacement has ended, knows the keys of another encoding. */
    @Test
    void replacementsInARow_useOtherKeys() {
        MemoryStore store = made(MemoryStore.create(), "default");
        List<String> keys = new ArrayList<>(List.of(keys(store)));
        for (int i = 0; i < 3; i++) {
            begun(store).commit();
            keys.add(keys(store));
        }
        assertEquals(4, Set.copyOf(keys).size(), keys.toString());
        begun(store).commit();
        assertEquals(keys.get(0), keys(store));
        List<String> begun = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            begun.add(begun(store).arrays().get("g/a").chunkKeyEncoding().toString());
        }
        assertEquals(3, Set.copyOf(begun).size(), begun.toString());
    }

    private static String keys(MemoryStore store) {
        return Zarr.openArray(store, "g/a", OPTIONS)
                .metadata()
                .chunkKeyEncoding()
                .encode(new long[] {1, 1});
    }

    private static void write(MemoryStore store, Replacement replacement, int[] values) {
        ZarrArray array =
                Zarr.openArray(store, "a", replacement.arrays().get("a"), OPTIONS.withOwnership(WriteOwnership.OWNED));
        array.write(array.domain(), values, 0);
    }

    /** While a commit runs, it holds this lock: no other call may find its record uncommitted and delete its chunks. */
    @Test
    void beginAndSettle_waitForARunningCommit() throws Exception {
        MemoryStore store = made(MemoryStore.create(), "default");
        Replacement replacement = begun(store);
        ZarrOptions impatient = OPTIONS.withLockPatience(Duration.ofMillis(1));
        Locks.Lock held = BlockingStore.to(store).lock("", "__unfinished", Duration.ZERO);
        try (held) {
            assertThrows(StoreException.class, () -> Replacement.settle(store, impatient));
            assertThrows(StoreException.class, () -> Replacement.begin(store, PATHS, new long[] {6, 8}, impatient));
        }
        replacement.commit();
        assertArrayEquals(NEW, read(store, "g/a"));
    }

    @Test
    void changedMeanwhile_isRefused_andDiscarded() throws IOException {
        MemoryStore store = made(MemoryStore.create(), "default");
        TreeSet<String> before = objects(store);
        Replacement replacement = begun(store);
        Zarr.openArray(store, "g/b", OPTIONS).resize(new long[] {9, 8}, ResizePolicy.KEEP);
        StoreException e = assertThrows(StoreException.class, replacement::commit);
        assertTrue(e.getMessage().contains("g/b was deleted, or got another layout or shape"), e.getMessage());
        replacement.close();
        assertArrayEquals(OLD, read(store, "g/a"));
        assertEquals(before, objects(store));
    }

    /** The new chunks of a removed array went with it, so an array that takes its place keeps its elements. */
    @Test
    void recreatedMeanwhile_isRefused_andKept() {
        MemoryStore store = made(MemoryStore.create(), "default");
        Replacement replacement = begun(store);
        ZarrArray again = Zarr.createArray(store, "g/b", spec("default"), IfExists.OVERWRITE, OPTIONS);
        again.write(again.domain(), OLD, 0);
        StoreException e = assertThrows(StoreException.class, replacement::commit);
        assertTrue(e.getMessage().contains("g/b was deleted, or got another layout or shape"), e.getMessage());
        replacement.close();
        PATHS.forEach(path -> assertArrayEquals(OLD, read(store, path), path));
    }

    /** A put that failed for the client may still take effect. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void commitWhosePutFails_isEndedByTheRecord(boolean isStoredLater) throws IOException {
        MemoryStore store = made(MemoryStore.create(), "default");
        TreeSet<String> before = objects(store);
        boolean[] fails = new boolean[1];
        String record;
        try (Replacement replacement = begun(new StoppingStore(store, change -> fails[0], null))) {
            record = text(store, "__unfinished").orElseThrow();
            fails[0] = true;
            assertThrows(StoreException.class, replacement::commit);
            fails[0] = false;
        }
        if (isStoredLater) {
            TestObjects.put(store, "__unfinished", record.replace("\"staging\"", "\"committed\""));
        }
        assertTrue(Replacement.settle(store, OPTIONS));
        PATHS.forEach(path -> assertArrayEquals(isStoredLater ? NEW : OLD, read(store, path)));
        assertEquals(before.size(), objects(store).size());
    }

    /** Without locks, another program can change a document between the look at it and the switch. */
    @Test
    void resizeInTheMiddleOfTheCommit_isKept() {
        MemoryStore store = made(MemoryStore.conditional("m"), "default");
        long[] changes = {Long.MIN_VALUE};
        Store resized =
                new StoppingStore(store, change -> changes[0]++ == 1, () -> Zarr.openArray(store, "g/a", OPTIONS)
                        .resize(new long[] {9, 8}, ResizePolicy.KEEP));
        Replacement replacement = begun(resized);
        changes[0] = 0; // the record is put first, then the document of g/a
        StoreException e = assertThrows(StoreException.class, replacement::commit);
        assertTrue(e.getMessage().contains("after its new elements were committed"), e.getMessage());
        assertThrows(StoreException.class, () -> Replacement.settle(store, OPTIONS));
        int[] found = read(store, "g/a");
        assertEquals(9 * 8, found.length);
        assertArrayEquals(OLD, Arrays.copyOf(found, OLD.length));
    }

    @Test
    void objectsUnderTheOtherKeys_areNotDeleted() {
        MemoryStore store = made(MemoryStore.create(), "default");
        TestObjects.put(store, "g/b/0/0", "theirs");
        TestObjects.put(store, "g/b/0.0", "theirs");
        TestObjects.put(store, "g/b/c.0.0", "theirs");
        UnsupportedException e = assertThrows(UnsupportedException.class, () -> begun(store));
        assertTrue(e.getMessage().contains("which the new chunks need"), e.getMessage());
        assertEquals("theirs", new String(TestObjects.get(store, "g/b/0/0"), StandardCharsets.UTF_8));
    }

    @Test
    void membersOfOneGroup_areFoundByListing() {
        MemoryStore store = made(MemoryStore.create(), "default");
        begun(store);
        try (ZarrGroup group = Zarr.openGroup(store, "g", OPTIONS)) {
            assertEquals(2, group.children().size(), "the new chunks are no nodes");
        }
    }
}
