package dev.shardkit.maintenance.copy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.maintenance.tree.Removal;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.BlockingListings;
import dev.shardkit.store.BlockingWrites;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Entry;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.store.policy.WriteOwnership;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies between stores, with the library only. */
class CopyTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();

    private final MemoryStore from = MemoryStore.create();
    private final MemoryStore to = MemoryStore.create();

    private ZarrGroup group() {
        ZarrGroup group =
                Zarr.createGroup(from, "", Json.object().with("who", Json.of("me")), IfExists.REFUSE, OPTIONS);
        ZarrArray array = group.createArray("g/a", ArraySpec.of("int32", 8, 8).withChunkShape(4, 4), IfExists.REFUSE);
        int[] values = new int[64];
        Arrays.setAll(values, i -> i);
        array.write(array.domain(), NdArray.of(array.dataType(), array.shape(), values));
        return group;
    }

    @Test
    void copy_ofAGroup_hasItsAttributesAndElements_inTheLayoutThatWasAskedFor() {
        List<String> reported = new ArrayList<>();
        Copy.of(group())
                .withShardShape(8, 8)
                .withChunkShape(2, 2)
                .withProgress((array, done, total) -> {
                    synchronized (reported) {
                        reported.add(array);
                    }
                })
                .to(to, OPTIONS);
        ZarrGroup copied = Zarr.openGroup(to, "", OPTIONS);
        assertEquals(Json.of("me"), copied.attributes().get("who").orElseThrow());
        ZarrArray array = copied.array("g/a");
        assertArrayEquals(new long[] {8, 8}, array.storedChunkShape());
        assertArrayEquals(new long[] {2, 2}, array.chunkShape());
        assertArrayEquals(
                Zarr.openArray(from, "g/a", OPTIONS).read().ints(), array.read().ints());
        assertTrue(reported.contains("g/a"), reported::toString);
    }

    @Test
    void copy_thatCannotBeAsAskedFor_writesNothing() throws IOException {
        Copy copy = Copy.of(group()).withShardShape(8, 8, 8, 8).withChunkShape(3, 3, 3, 3);
        assertThrows(IllegalArgumentException.class, () -> copy.to(to, OPTIONS));
        List<String> names = new ArrayList<>();
        to.list("", entry -> names.add(entry.name()));
        assertEquals(List.of(), names);
    }

    @Test
    void copy_replacesANodeOnlyWhenAskedTo_andNeverAnythingElse() {
        Copy.of(group()).to(to, OPTIONS);
        Copy again = Copy.of(Zarr.openArray(from, "g/a", OPTIONS));
        assertThrows(StoreException.class, () -> again.to(to, OPTIONS));
        again.overwriting().to(to, OPTIONS);
        assertEquals(64, Zarr.openArray(to, "", OPTIONS).read().ints().length);
        MemoryStore other = MemoryStore.create();
        Zarr.createGroup(other, "precious", Json.object(), IfExists.REFUSE, OPTIONS);
        assertThrows(StoreException.class, () -> again.overwriting().to(other, OPTIONS));
        assertTrue(Zarr.find(other, "precious", OPTIONS).isPresent());
    }

    @Test
    void sameLayout_copiesStoredObjects_withoutDecodingThem(@TempDir Path dir) throws IOException {
        files(dir.resolve("from"));
        byte[] damaged = Files.readAllBytes(dir.resolve("from/g/a/c/1/0"));
        damaged[0] ^= 1;
        Files.write(dir.resolve("from/g/a/c/1/0"), damaged);
        List<String> reported = Collections.synchronizedList(new ArrayList<>());
        copy(dir, (array, done, total) -> reported.add(array + " " + done + "/" + total));
        assertArrayEquals(damaged, Files.readAllBytes(dir.resolve("to/g/a/c/1/0")));
        assertEquals(List.of("g/a 0/4", "g/a 1/4", "g/a 2/4", "g/a 3/4", "g/a 4/4"), reported);
        assertFalse(Files.exists(dir.resolve("to/__unfinished")));
    }

    /** A server that shows a login page in place of an object must not fill a copy with it. */
    @Test
    void chunkOfAnImpossibleSize_failsTheCopy() throws IOException {
        ArraySpec spec = ArraySpec.of("int32", 64).withChunkShape(16).withCodecs(Codecs.bytesLittleEndian());
        for (int size : new int[] {0, 18, 65}) {
            MemoryStore source = MemoryStore.create();
            ZarrArray array = Zarr.createArray(source, "", spec, IfExists.REFUSE, OPTIONS);
            array.write(array.domain(), new int[64], 0);
            array.write(
                    Box.of(new long[] {16}, new long[] {16}),
                    new int[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7},
                    0);
            BlockingStore.to(source).put("c/1", Content.of(Bytes.of(new byte[size])), Durability.ATOMIC);
            for (Copy copy : List.of(Copy.of(array), Copy.of(array).withShardShape(32))) {
                MemoryStore target = MemoryStore.create();
                CorruptDataException e =
                        assertThrows(CorruptDataException.class, () -> copy.to(target, OPTIONS), "size " + size);
                assertTrue(e.getMessage().contains("64 bytes"), e.getMessage());
                assertTrue(Zarr.find(target, "", OPTIONS).isEmpty(), "size " + size);
            }
        }
    }

    @Test
    void copyCutShort_isResumedByTheSameCall_withoutPuttingObjectsAgain(@TempDir Path dir) throws IOException {
        files(dir.resolve("from"));
        assertThrows(
                IllegalStateException.class,
                () -> copy(dir, (array, done, total) -> {
                    if (done == 2) {
                        throw new IllegalStateException("killed");
                    }
                }));
        Path first = dir.resolve("to/g/a/c/0/0");
        Path second = dir.resolve("to/g/a/c/0/1");
        assertFalse(Files.exists(dir.resolve("to/zarr.json")));
        assertFalse(Files.exists(dir.resolve("to/g/a/c/1/0")));
        Object kept = Files.readAttributes(first, BasicFileAttributes.class).fileKey();
        FileTime time = FileTime.fromMillis(1_000_000_000_000L);
        Files.setLastModifiedTime(first, time);
        byte[] whole = Files.readAllBytes(second);
        Files.write(second, Arrays.copyOf(whole, whole.length - 1)); // as a power failure may leave it
        copy(dir, (array, done, total) -> {});
        assertEquals(
                kept, Files.readAttributes(first, BasicFileAttributes.class).fileKey());
        assertEquals(time, Files.getLastModifiedTime(first));
        assertArrayEquals(whole, Files.readAllBytes(second));
        assertCopied(dir);
    }

    @Test
    void copyCutShort_ofASourceThatHasChanged_isRefused(@TempDir Path dir) throws IOException {
        ZarrGroup source = files(dir.resolve("from"));
        assertThrows(
                IllegalStateException.class,
                () -> copy(dir, (array, done, total) -> {
                    if (done == 3) {
                        throw new IllegalStateException("killed");
                    }
                }));
        ZarrArray array = source.array("g/a");
        array.write(array.domain(), NdArray.of(array.dataType(), array.shape(), new int[64]));
        assertThrows(StoreException.class, () -> copy(dir, (a, done, total) -> {}));
        Copy.of(source).overwriting().to(FileStore.at(dir.resolve("to")), OPTIONS);
        assertCopied(dir);
    }

    /** A move that was killed after its copy wrote the root's document, before the copy was marked as finished. */
    @Test
    void moveCutShort_behindTheLastDocument_isResumed(@TempDir Path dir) throws IOException {
        files(dir.resolve("from"));
        assertThrows(
                IllegalStateException.class,
                () -> copy(dir, (array, done, total) -> {
                    throw new IllegalStateException("killed");
                }));
        Path mark = dir.resolve("to/__unfinished");
        byte[] state = Files.readAllBytes(mark);
        copy(dir, (array, done, total) -> {});
        Files.write(mark, state);
        int[] before = Zarr.openArray(FileStore.at(dir.resolve("to")), "g/a", OPTIONS)
                .read()
                .ints();
        Move.of(FileStore.at(dir.resolve("from")), FileStore.at(dir.resolve("to")))
                .run(OPTIONS);
        assertArrayEquals(
                before,
                Zarr.openArray(FileStore.at(dir.resolve("to")), "g/a", OPTIONS)
                        .read()
                        .ints());
        assertFalse(Files.exists(mark));
        assertFalse(Files.exists(dir.resolve("from/zarr.json")));
    }

    /** After the interrupted run, another program has created nodes at paths that the run had not reached. */
    @Test
    void nodeOfAnotherProgram_inAnUnfinishedCopy_isNotTakenForTheCopy(@TempDir Path dir) throws IOException {
        files(dir.resolve("from"));
        assertThrows(
                IllegalStateException.class,
                () -> copy(dir, (array, done, total) -> {
                    throw new IllegalStateException("killed");
                }));
        FileStore from = FileStore.at(dir.resolve("from"));
        FileStore to = FileStore.at(dir.resolve("to"));
        Zarr.createArray(to, "g/a", ArraySpec.of("int32", 4), IfExists.REFUSE, OPTIONS);
        StoreException e =
                assertThrows(StoreException.class, () -> Move.of(from, to).run(OPTIONS));
        assertTrue(e.getMessage().contains("to/g/a"), e.getMessage());
        assertTrue(e.getMessage().contains("shape: expected [8,8], found [4]"), e.getMessage());
        Zarr.openArray(to, "g/a", OPTIONS).delete();
        Zarr.createArray(to, "g/a", ArraySpec.of("int32", 8, 8).withChunkShape(4, 4), IfExists.REFUSE, OPTIONS);
        e = assertThrows(StoreException.class, () -> Move.of(from, to).run(OPTIONS));
        assertTrue(e.getMessage().contains("expected the chunk g/a/c/0/0"), e.getMessage());
        Zarr.openArray(to, "g/a", OPTIONS).delete();
        Zarr.createGroup(to, "g", Json.object().with("who", Json.of("other")), IfExists.REFUSE, OPTIONS);
        e = assertThrows(StoreException.class, () -> Move.of(from, to).run(OPTIONS));
        assertTrue(e.getMessage().contains("attributes: expected"), e.getMessage());
        Zarr.openGroup(to, "g", OPTIONS).delete();
        copy(dir, (array, done, total) -> {});
        assertCopied(dir);
    }

    private static void copy(Path dir, Progress progress) {
        Copy.of(Zarr.openGroup(FileStore.at(dir.resolve("from")), "", OPTIONS))
                .withProgress(progress)
                .to(FileStore.at(dir.resolve("to")), OPTIONS);
    }

    private ZarrGroup files(Path folder) {
        Copy.of(group()).to(FileStore.at(folder), OPTIONS);
        return Zarr.openGroup(FileStore.at(folder), "", OPTIONS);
    }

    private static void assertCopied(Path dir) {
        assertArrayEquals(
                Zarr.openArray(FileStore.at(dir.resolve("from")), "g/a", OPTIONS)
                        .read()
                        .ints(),
                Zarr.openArray(FileStore.at(dir.resolve("to")), "g/a", OPTIONS)
                        .read()
                        .ints());
        assertEquals(
                Json.of("me"),
                Zarr.openGroup(FileStore.at(dir.resolve("to")), "", OPTIONS)
                        .attributes()
                        .get("who")
                        .orElseThrow());
        assertFalse(Files.exists(dir.resolve("to/__unfinished")));
    }

    /** Another program removes the unfinished copy, or replaces it, while it is made. */
    @ParameterizedTest
    @ValueSource(strings = {"removed", "overwritten"})
    void targetInUseElsewhere_isNotMixed(String change, @TempDir Path dir) {
        ArraySpec spec = ArraySpec.of("int32", 64, 64).withChunkShape(8, 8);
        ZarrArray first = Zarr.createArray(FileStore.at(dir.resolve("a")), "", spec, IfExists.REFUSE, OPTIONS);
        first.write(first.domain(), IntStream.range(1, 4097).toArray(), 0);
        ZarrArray second = Zarr.createArray(FileStore.at(dir.resolve("b")), "", spec, IfExists.REFUSE, OPTIONS);
        second.write(second.domain(), IntStream.range(5001, 9097).toArray(), 0);
        ZarrOptions fast = OPTIONS.withDurability(Durability.ATOMIC).withLockPatience(Duration.ofMillis(1));
        for (boolean hasLocks : new boolean[] {true, false}) {
            ZarrOptions options = hasLocks ? fast : fast.withOwnership(WriteOwnership.OWNED);
            FileStore files = FileStore.at(dir.resolve("to" + hasLocks));
            Store target = hasLocks ? files : new Lockless(files);
            List<ZarrException> refusals = new ArrayList<>();
            AtomicBoolean isFirst = new AtomicBoolean(true);
            Runnable other = () -> {
                if (change.equals("removed")) {
                    Removal.of(target).run(options);
                } else {
                    Copy.of(second).overwriting().to(target, options);
                }
            };
            Copy copy = Copy.of(first).withProgress((path, done, total) -> {
                if (done > 4 && isFirst.getAndSet(false)) {
                    try {
                        other.run();
                    } catch (ZarrException e) {
                        refusals.add(e);
                    }
                }
            });
            if (hasLocks) {
                copy.to(target, options);
                assertEquals(1, refusals.size());
                assertTrue(refusals.get(0).getMessage().contains("another program is working at"), refusals::toString);
                assertArrayEquals(
                        first.read().ints(),
                        Zarr.openArray(target, "", OPTIONS).read().ints());
            } else {
                StoreException e = assertThrows(StoreException.class, () -> copy.to(target, options));
                assertTrue(e.getMessage().contains("another program has removed or replaced"), e.getMessage());
                assertEquals(List.of(), refusals);
            }
            assertFalse(isFirst.get());
        }
    }

    /** Files in a store that does not tell of its locks, as those in clouds have none. */
    private record Lockless(FileStore files)
            implements Store, LocalReads, BlockingWrites, BlockingListings, TreeDeletions {
        @Override
        public String describe() {
            return files.describe();
        }

        @Override
        public Reads reads() {
            return this;
        }

        @Override
        public Optional<ObjectSnapshot> open(String key) {
            return files.open(key);
        }

        @Override
        public void list(String prefix, Consumer<Entry> entries) throws IOException {
            files.list(prefix, entries);
        }

        @Override
        public WriteResult putNow(String key, Content content, Condition condition, Durability durability) {
            return files.putNow(key, content, condition, durability);
        }

        @Override
        public WriteResult deleteNow(String key, Condition condition) {
            return files.deleteNow(key, condition);
        }

        @Override
        public void deleteAll(String prefix) throws IOException {
            files.deleteAll(prefix);
        }
    }
}
