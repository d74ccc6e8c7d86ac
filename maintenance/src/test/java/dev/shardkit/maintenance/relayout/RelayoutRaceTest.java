package dev.shardkit.maintenance.relayout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.SliceOptions;
import dev.shardkit.SliceWriter;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.layout.ShardLayout;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.testkit.internal.Rounds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A write at any moment of a change of layout is kept, or one of the two calls fails. */
@Timeout(300)
@Tag("one-jdk")
class RelayoutRaceTest extends RelayoutTestBase {
    private static final Box FIRST = Box.of(new long[] {0, 0}, new long[] {1, 1});

    private interface Stores {
        Store fresh() throws IOException;
    }

    /** The moments of a stop between which others are left out by default; each is tried beside some two writes. */
    private static final int STRIDE = Rounds.stride(16);

    /** Which handle writes: one that was opened before the change, or one that is opened for the write. */
    private enum Handle {
        OLD,
        NEW
    }

    @TempDir
    private Path folder;

    private static ArraySpec small() {
        return ArraySpec.of("int32", 6, 8).withChunkShape(3, 4);
    }

    @Test
    void inMemory_noWriteIsLostInSilence() throws IOException {
        eachMoment(MemoryStore::create, Handle.OLD);
        eachMoment(MemoryStore::create, Handle.NEW);
    }

    @Test
    void inFiles_noWriteIsLostInSilence() throws IOException {
        Stores files = () -> FileStore.at(Files.createTempDirectory(folder, "store"));
        eachMoment(files, Handle.OLD);
        eachMoment(files, Handle.NEW);
    }

    @Test
    void twoWriters_loseNothingInSilence() throws IOException {
        boolean[] reached = {true, true};
        for (long first = 0; reached[0]; first++) {
            reached[1] = true;
            for (long second = first + 1; reached[1]; second++) {
                try (Store store = MemoryStore.create()) {
                    reached = meet(store, first, second);
                }
            }
        }
    }

    @Test
    void erasedMeanwhile_isNotBackInSilence() throws IOException {
        for (Handle handle : Handle.values()) {
            for (int shard = 0; shard < 2; shard++) {
                boolean reached = true;
                for (long moment = 0; reached; moment++) {
                    reached = erase(handle, shard, moment);
                }
            }
        }
    }

    /** Erases a shard of the new layout before a change of the store. Returns whether that change was reached. */
    private boolean erase(Handle handle, int shard, long moment) throws IOException {
        try (Store store = MemoryStore.create()) {
            int[] expected = numbers(
                    createWritten(store, "a", ArraySpec.of("int32", 12, 8).withChunkShape(3, 4)));
            ZarrArray old = open(store);
            boolean[] reached = new boolean[1];
            boolean[] erased = new boolean[1];
            Box where = Box.of(new long[] {6L * shard, 0}, new long[] {6, 8});
            String said = change(new StoppingStore(store, change -> change == moment, () -> {
                reached[0] = true;
                erased[0] = write(handle == Handle.OLD ? old : open(store), array -> array.erase(where));
            }));
            String when = handle + " erased shard " + shard + " before change " + moment + ": " + said;
            int[] found = open(store).read().ints();
            boolean gone = found[48 * shard] == 0;
            assertTrue(!erased[0] || gone || said.contains("may be lost"), when);
            Arrays.fill(expected, 48 * shard, 48 * shard + (gone ? 48 : 0), 0);
            assertArrayEquals(expected, found, when);
            return reached[0];
        }
    }

    @Test
    void stoppedAfterAWrite_isNotCompletedInSilence() throws IOException {
        for (Handle handle : Handle.values()) {
            boolean reached = true;
            for (long moment = 0; reached; moment++) {
                reached = false;
                boolean stopped = true;
                for (long last = moment + 1; stopped; last++) {
                    boolean[] both = stopAfterWrite(handle, moment, last);
                    reached |= both[0];
                    stopped = both[1];
                }
            }
        }
    }

    /**
     * Writes before one change of the store, stops before a later one, and runs again. Returns which of the two changes
     * were reached.
     */
    private boolean[] stopAfterWrite(Handle handle, long moment, long last) throws IOException {
        try (Store store = MemoryStore.create()) {
            int[] expected = numbers(createWritten(store, "a", small()));
            ZarrArray old = open(store);
            boolean[] reached = new boolean[2];
            boolean[] wrote = new boolean[1];
            String said = change(new StoppingStore(store, change -> change == moment || change >= last, () -> {
                if (reached[0]) {
                    reached[1] = true;
                    throw new IOException("stopped");
                }
                reached[0] = true;
                wrote[0] = write(handle == Handle.OLD ? old : open(store), a -> a.write(FIRST, new int[] {-7}, 0));
            }));
            String again = change(store);
            String when = handle + " write before change " + moment + ", stopped before " + last + ": " + said
                    + "; again: " + again;
            int[] found = open(store).read().ints();
            assertTrue(!wrote[0] || found[0] == -7 || (said + again).contains("may be lost"), when);
            expected[0] = found[0];
            assertArrayEquals(expected, found, when);
            return reached;
        }
    }

    /** A stream stores its slices, then the new length: both in one layout. */
    @Test
    void layoutChangedWhileAStreamExtendsTheArray_losesNoSlice() throws IOException {
        boolean[] reached = {true};
        for (long moment = 0; reached[0]; moment++) {
            long at = moment;
            reached[0] = false;
            try (Store store = MemoryStore.create()) {
                createWritten(store, "a", small());
                Store meeting = new StoppingStore(store, change -> change == at, () -> {
                    reached[0] = true;
                    change(store, options.withLockPatience(Duration.ofMillis(20)));
                });
                int[] slice = {-1, -2, -3, -4, -5, -6, -7, -8};
                try (SliceWriter stream =
                        open(meeting).slices(0, SliceOptions.defaults().withGrowth(SliceOptions.Growth.GROW))) {
                    stream.write(slice, 0);
                }
                int[] found = open(store).read().ints();
                int[] last = Arrays.copyOfRange(found, found.length - 8, found.length);
                assertArrayEquals(slice, last, "layout changed before change " + moment);
            }
        }
    }

    /** Another program, which takes no locks, removes the folder of the array at each moment. */
    @Test
    void arrayRemovedMeanwhile_isNeverHalfThere() throws IOException {
        boolean[] reached = {true};
        for (long moment = 0; reached[0]; moment++) {
            long at = moment;
            Path root = Files.createTempDirectory(folder, "store");
            try (Store store = FileStore.at(root)) {
                int[] expected = numbers(createWritten(store, "a", small()));
                reached[0] = false;
                String said = change(new StoppingStore(store, change -> change == at, () -> {
                    reached[0] = true;
                    remove(root.resolve("a"));
                }));
                String when = "removed before change " + moment + ": " + said;
                if (said.isEmpty()
                        && BlockingStore.to(store).open("a/zarr.json").isPresent()) {
                    assertArrayEquals(expected, open(store).read().ints(), when);
                }
            }
        }
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    @Test
    void stoppedAfterTwoWriters_isNotCompletedInSilence() throws IOException {
        boolean[] reached = {true, true, true};
        for (long first = 0; reached[0]; first++) {
            reached[1] = true;
            for (long second = first + 1; reached[1]; second++) {
                reached[2] = true;
                for (long stop = second + 1 + (first + second) % STRIDE; reached[2]; stop += STRIDE) {
                    try (Store store = MemoryStore.create()) {
                        reached = meet(store, first, second, stop);
                    }
                }
            }
        }
    }

    private boolean[] meet(Store store, long first, long second) {
        return meet(store, first, second, Long.MAX_VALUE);
    }

    /**
     * Writes one element with an old handle and another with a new one, before two changes of the store, and stops
     * before a third. Returns which changes were reached.
     */
    private boolean[] meet(Store store, long first, long second, long stop) {
        int[] expected = numbers(createWritten(store, "a", small()));
        ZarrArray old = open(store);
        boolean[] reached = new boolean[3];
        boolean[] wrote = new boolean[2];
        Box[] where = {FIRST, Box.of(new long[] {5, 7}, new long[] {1, 1})};
        String said =
                change(new StoppingStore(store, change -> change == first || change == second || change >= stop, () -> {
                    int writer = reached[0] ? 1 : 0;
                    if (reached[writer]) {
                        reached[2] = true;
                        throw new IOException("stopped");
                    }
                    reached[writer] = true;
                    wrote[writer] = write(
                            writer == 0 ? old : open(store), a -> a.write(where[writer], new int[] {-7 - writer}, 0));
                }));
        String again = change(store);
        String when = "writes before the changes " + first + " and " + second + ", stopped before " + stop + ": " + said
                + "; again: " + again;
        int[] found = open(store).read().ints();
        for (int writer = 0; writer < 2; writer++) {
            int at = writer == 0 ? 0 : found.length - 1;
            assertTrue(!wrote[writer] || found[at] == -7 - writer || (said + again).contains("may be lost"), when);
            expected[at] = found[at];
        }
        assertArrayEquals(expected, found, when);
        change(store);
        assertArrayEquals(expected, open(store).read().ints(), when);
        return reached;
    }

    /** Returns whether the write succeeded. */
    private static boolean write(ZarrArray array, Consumer<ZarrArray> change) {
        try {
            change.accept(array);
            return true;
        } catch (ZarrException e) { // the write was refused with an error
            return false;
        }
    }

    /** Changes the layout, and returns the message of the failure, if it failed. */
    private String change(Store store) {
        return change(store, options);
    }

    private String change(Store store, ZarrOptions with) {
        try {
            Relayout.of(Zarr.openArray(store, "a", with), ShardLayout.chunksPerShard(2))
                    .run(Mode.APPLY, reported::add);
            return "";
        } catch (StoreException e) {
            return e.getMessage();
        }
    }

    /** Staged objects are as large as the array, and objects under the interim keys would be strays. */
    @Test
    void changeThatAWriterRefuses_leavesNothingBehind() throws IOException {
        int refused = 0;
        boolean[] reached = {true};
        for (long moment = 0; reached[0]; moment++) {
            long at = moment;
            reached[0] = false;
            MemoryStore store = MemoryStore.create();
            createWritten(store, "a", small());
            String said = change(new StoppingStore(store, change -> change == at, () -> {
                reached[0] = true;
                write(open(store), array -> array.write(FIRST, new int[] {-7}, 0));
            }));
            if (!said.isEmpty()) {
                refused++;
                String when = "before change " + at + ": " + said;
                TreeSet<String> left = new TreeSet<>();
                store.reserved("", left::add);
                assertEquals(Set.of("a/__shardkit/lock"), left, when);
                left.clear();
                BlockingStore.to(store).list("a", entry -> left.add(entry.name()));
                assertEquals(Set.of("c", "zarr.json"), left, when);
            }
        }
        assertTrue(refused > 5, refused + " refused changes");
    }

    @Test
    void lostWrites_areAllNamed() throws IOException {
        int both = 0;
        boolean[] reached = {true};
        for (long moment = 0; reached[0]; moment++) {
            long at = moment;
            reached[0] = false;
            try (Store store = MemoryStore.create()) {
                createWritten(store, "a", ArraySpec.of("int32", 12, 8).withChunkShape(3, 4));
                ZarrArray old = open(store);
                boolean[] wrote = new boolean[2];
                String said = change(new StoppingStore(store, change -> change == at, () -> {
                    reached[0] = true;
                    for (int shard = 0; shard < 2; shard++) {
                        Box where = Box.of(new long[] {6L * shard, 0}, new long[] {1, 1});
                        wrote[shard] = write(open(store), a -> a.write(where, new int[] {-7}, 0));
                    }
                }));
                int[] found = open(store).read().ints();
                for (int shard = 0; shard < 2; shard++) {
                    boolean named = said.contains("may be lost")
                            && (said.contains("a/c/" + shard + "/0") || said.contains("check the array"));
                    assertTrue(!wrote[shard] || found[48 * shard] == -7 || named, "before change " + at + ": " + said);
                }
                both += said.contains("a/c/0/0, a/c/1/0") ? 1 : 0;
            }
        }
        assertTrue(both > 0, "both writes were lost and named at no moment");
    }

    private void eachMoment(Stores stores, Handle handle) throws IOException {
        int kept = 0;
        for (long moment = 0; ; moment++) {
            try (Store store = stores.fresh()) {
                long at = moment;
                ZarrArray array = createWritten(store, "a", small());
                ZarrArray old = open(store);
                boolean[] reached = new boolean[1];
                boolean[] wrote = new boolean[1];
                Store meeting = new StoppingStore(store, change -> change == at, () -> {
                    reached[0] = true;
                    wrote[0] = write(handle == Handle.OLD ? old : open(store), a -> a.write(FIRST, new int[] {-7}, 0));
                });
                String said = change(meeting);
                String when = handle + " write before change " + moment + ": " + said;
                int first = open(store).read().ints()[0];
                assertTrue(!wrote[0] || first == -7 || said.contains("may be lost"), when + ": found " + first);
                int[] expected = numbers(array);
                expected[0] = first;
                assertArrayEquals(expected, open(store).read().ints(), when);
                Relayout.of(open(store), ShardLayout.chunksPerShard(2)).run(Mode.APPLY, reported::add);
                assertArrayEquals(expected, open(store).read().ints(), when);
                kept += wrote[0] && first == -7 ? 1 : 0;
                if (!reached[0]) {
                    assertTrue(kept >= 4, "only " + kept + " writes");
                    return;
                }
            }
        }
    }
}
