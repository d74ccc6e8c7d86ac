package dev.shardkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Ability;
import dev.shardkit.store.ForwardingStore;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Store;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two programs create an array at one place: the second one looks before the first one has stored its document. */
@Timeout(180)
class CreationRaceTest {
    private static final int[] VALUES = {1, 2, 3, 4};

    @TempDir
    Path dir;

    /** A store in which another program creates and writes an array before the caller gets its first lock. */
    private static final class Raced extends ForwardingStore implements Locks {
        private final Store raw;
        private boolean raced;

        Raced(Store raw) {
            super(raw);
            this.raw = raw;
        }

        @Override
        public <A extends Ability> Optional<A> find(Class<A> ability) {
            return ability == Locks.class ? Optional.of(ability.cast(this)) : super.find(ability);
        }

        @Override
        public Lock lock(String array, String key, Duration patience) throws IOException {
            if (!raced) {
                raced = true;
                ZarrArray others = create(raw, 7, IfExists.REFUSE);
                others.write(others.domain(), VALUES, 0);
            }
            return raw.find(Locks.class).orElseThrow().lock(array, key, patience);
        }
    }

    private List<Store> stores() {
        return List.of(FileStore.at(dir), MemoryStore.create());
    }

    private static ZarrArray create(Store store, int fill, IfExists existing) {
        ArraySpec spec = ArraySpec.of("int32", 4).withChunkShape(2).withFillValue(fill);
        return Zarr.createArray(store, "x", spec, existing, ZarrOptions.defaults());
    }

    @Test
    void refuse_keepsTheArrayOfTheFaster() {
        for (Store store : stores()) {
            StoreException e = assertThrows(StoreException.class, () -> create(new Raced(store), 9, IfExists.REFUSE));
            assertTrue(e.getMessage().contains("already exists here"), e.getMessage());
            ZarrArray array = Zarr.openArray(store, "x", ZarrOptions.defaults());
            assertArrayEquals(VALUES, array.read().ints());
        }
    }

    @Test
    void overwrite_leavesNoElementsOfTheFaster() {
        for (Store store : stores()) {
            ZarrArray array = create(new Raced(store), 9, IfExists.OVERWRITE);
            assertArrayEquals(new int[] {9, 9, 9, 9}, array.read().ints());
            assertArrayEquals(
                    new int[] {9, 9, 9, 9},
                    Zarr.openArray(store, "x", ZarrOptions.defaults()).read().ints());
        }
    }
}
