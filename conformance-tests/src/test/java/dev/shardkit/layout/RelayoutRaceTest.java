package dev.shardkit.layout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.Relayout;
import dev.shardkit.maintenance.ShardLayout;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Store;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A write at each moment of a change of layout is kept, or one of the two calls fails. */
@Timeout(300)
class RelayoutRaceTest extends RelayoutScene {
    private static final Box FIRST = Box.of(new long[] {0, 0}, new long[] {1, 1});

    private interface Stores {
        Store fresh() throws IOException;
    }

    /** Which handle writes: one from before the change, or one that is opened at that moment. */
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

    private void eachMoment(Stores stores, Handle handle) throws IOException {
        int kept = 0;
        for (long moment = 0; ; moment++) {
            try (Store store = stores.fresh()) {
                ZarrArray array = written(store, "a", small());
                ZarrArray old = open(store);
                boolean[] reached = new boolean[1];
                boolean[] wrote = new boolean[1];
                Store meeting = new Stopping(store, moment, () -> {
                    reached[0] = true;
                    try {
                        (handle == Handle.OLD ? old : open(store)).write(FIRST, new int[] {-7}, 0);
                        wrote[0] = true;
                    } catch (ZarrException e) { // refused, and said so
                        wrote[0] = false;
                    }
                });
                boolean changed = true;
                String said = "";
                try {
                    Relayout.of(open(meeting), ShardLayout.chunksPerShard(2)).run(Mode.APPLY, told::add);
                } catch (StoreException e) {
                    changed = false;
                    said = e.getMessage();
                }
                String when = handle + " write before change " + moment + ", changed: " + changed + " " + said;
                int first = open(store).read().ints()[0];
                assertTrue(!wrote[0] || first == -7 || said.contains("may be lost"), when + ": found " + first);
                int[] expected = numbers(array);
                expected[0] = first;
                assertArrayEquals(expected, open(store).read().ints(), when);
                Relayout.of(open(store), ShardLayout.chunksPerShard(2)).run(Mode.APPLY, told::add);
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
