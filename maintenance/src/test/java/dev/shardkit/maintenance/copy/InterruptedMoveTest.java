package dev.shardkit.maintenance.copy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.BlockingListings;
import dev.shardkit.store.BlockingWrites;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Entry;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.Locks;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Moves that copy, because they cannot rename, and are killed: repeating the call completes them. */
@Timeout(300)
class InterruptedMoveTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults().withDurability(Durability.ATOMIC);
    private static final int[] VALUES = IntStream.range(1, 65).toArray();

    /** Files that cannot be renamed into another store. Fails at the n-th change of all such stores, and later. */
    private record Dying(FileStore files, AtomicInteger left)
            implements Store, LocalReads, BlockingWrites, BlockingListings, TreeDeletions, Locks {
        private void change() throws IOException {
            if (left.decrementAndGet() < 1) {
                throw new IOException("killed");
            }
        }

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
        public Lock lock(String array, String key, Duration patience) throws IOException {
            return files.lock(array, key, patience);
        }

        @Override
        public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                throws IOException {
            change();
            return files.putNow(key, content, condition, durability);
        }

        @Override
        public WriteResult deleteNow(String key, Condition condition) throws IOException {
            change();
            return files.deleteNow(key, condition);
        }

        @Override
        public void reserved(String prefix, Consumer<String> names) throws IOException {
            files.reserved(prefix, names);
        }

        /** Fails before it begins, or after the document was set aside and a chunk deleted, as a killed deletion. */
        @Override
        public void deleteAll(String prefix) throws IOException {
            change();
            Path root = files.root();
            Path document = root.resolve("zarr.json");
            if (prefix.isEmpty() && Files.exists(document) && left.get() == 1) {
                Files.move(document, root.resolve("__shardkit-deleted-00000000-0000-0000-0000-000000000000"));
                files.deleteNow("c/0", Condition.ANY);
                change();
            }
            files.deleteAll(prefix);
            change();
        }
    }

    private static FileStore source(Path dir) {
        FileStore source = FileStore.at(dir);
        ZarrArray array =
                Zarr.createArray(source, "", ArraySpec.of("int32", 64).withChunkShape(16), IfExists.REFUSE, OPTIONS);
        array.write(array.domain(), VALUES, 0);
        array.close();
        return source;
    }

    private static boolean moveUntilChange(int n, FileStore source, FileStore target) {
        AtomicInteger left = new AtomicInteger(n);
        try {
            Move.of(new Dying(source, left), new Dying(target, left)).run(OPTIONS);
            return true;
        } catch (ZarrException e) {
            return false;
        }
    }

    private static void complete(FileStore source, FileStore target) {
        AtomicInteger unlimited = new AtomicInteger(Integer.MAX_VALUE);
        Move.of(new Dying(source, unlimited), new Dying(target, unlimited)).run(OPTIONS);
    }

    @Test
    void killedAtAnyMoment_itIsCompletedByTheSameCall(@TempDir Path dir) throws Exception {
        boolean hasEnded = false;
        int completedRemovals = 0;
        for (int n = 1; !hasEnded; n++) {
            FileStore source = source(dir.resolve("from" + n));
            FileStore target = FileStore.at(dir.resolve("to" + n));
            hasEnded = moveUntilChange(n, source, target);
            boolean isSourceWhole = Files.exists(source.root().resolve("zarr.json"));
            assertTrue(isSourceWhole || Files.exists(target.root().resolve("zarr.json")));
            boolean hasRecord = Files.exists(target.root().resolve("__unfinished"));
            if (!hasEnded && (isSourceWhole || hasRecord)) {
                complete(source, target);
                completedRemovals += isSourceWhole ? 0 : 1;
            }
            assertArrayEquals(VALUES, Zarr.openArray(target, "", OPTIONS).read().ints(), "killed at change " + n);
            assertFalse(Files.exists(source.root()), "killed at change " + n);
            assertFalse(Files.exists(target.root().resolve("__unfinished")), "killed at change " + n);
        }
        assertTrue(completedRemovals > 1, "completed " + completedRemovals + " removals");
    }

    /** While the source is deleted, another program makes an array there. */
    @Test
    void newNodeAtTheSource_isNotDeleted(@TempDir Path dir) throws Exception {
        int found = 0;
        boolean hasEnded = false;
        for (int n = 1; !hasEnded; n++) {
            FileStore source = source(dir.resolve("from" + n));
            FileStore target = FileStore.at(dir.resolve("to" + n));
            hasEnded = moveUntilChange(n, source, target);
            if (Files.exists(target.root().resolve("__unfinished")) && !Files.exists(source.root())) {
                ZarrArray other = Zarr.createArray(
                        source, "", ArraySpec.of("int32", 64).withChunkShape(16), IfExists.REFUSE, OPTIONS);
                other.write(other.domain(), IntStream.range(100, 164).toArray(), 0);
                assertThrows(CorruptDataException.class, () -> complete(source, target));
                assertEquals(100, Zarr.openArray(source, "", OPTIONS).read().longAt(0));
                found++;
            }
        }
        assertTrue(found > 0);
    }
}
