package dev.shardkit.maintenance.tree;

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
import dev.shardkit.maintenance.ForwardingStore;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.maintenance.destination.Destination;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Store;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A copy is removed or overwritten just when the move that made it begins to delete its source: one of them fails. */
@Timeout(120)
class RemovalBesideMoveTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults().withDurability(Durability.ATOMIC);

    private enum Remover {
        REMOVAL,
        OVERWRITE;

        void run(Store store) {
            if (this == REMOVAL) {
                Removal.of(store).run(OPTIONS);
            } else {
                MemoryStore other = MemoryStore.create();
                array(other);
                Copy.of(Zarr.openArray(other, "", OPTIONS)).overwriting().to(store, OPTIONS);
            }
        }
    }

    /** A store that makes a call of another program right before a deletion or a put of a record. */
    private static class Interrupted extends ForwardingStore {
        private final MemoryStore objects;
        private final Runnable other;
        private boolean isDone;

        Interrupted(MemoryStore objects, Runnable other) {
            super(objects);
            this.objects = objects;
            this.other = other;
        }

        private void interrupt() {
            if (!isDone) {
                isDone = true;
                other.run();
            }
        }

        @Override
        public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                throws IOException {
            if (key.equals("__unfinished")) {
                interrupt();
            }
            return super.putNow(key, content, condition, durability);
        }

        @Override
        public void deleteAll(String prefix) throws IOException {
            interrupt();
            super.deleteAll(prefix);
        }

        MemoryStore objects() {
            return objects;
        }
    }

    private static final class InterruptedWithLocks extends Interrupted implements Locks {
        InterruptedWithLocks(MemoryStore objects, Runnable other) {
            super(objects, other);
        }

        @Override
        public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                throws IOException {
            return objects().putNow(key, content, condition, durability);
        }

        @Override
        public Lock lock(String array, String key, Duration patience) throws IOException {
            return objects().lock(array, key, patience);
        }
    }

    private static void array(Store store) {
        try (ZarrArray array =
                Zarr.createArray(store, "", ArraySpec.of("int32", 4).withChunkShape(2), IfExists.REFUSE, OPTIONS)) {
            array.write(array.domain(), new int[] {1, 2, 3, 4}, 0);
        }
    }

    /** Stores a complete copy, whose move has not begun to delete the source. */
    private static Destination copiedTo(Store store) {
        Destination copy = Destination.of(store);
        copy.begin("", Durability.ATOMIC);
        array(store);
        return copy;
    }

    @ParameterizedTest
    @EnumSource(Remover.class)
    void moveThatBeginsToDeleteItsSourceFirst_keepsTheCopy(Remover remover) {
        MemoryStore objects = MemoryStore.conditional("cloud");
        Destination copy = copiedTo(new ForwardingStore(objects));
        Store store = new Interrupted(objects, () -> copy.beginRemoval("from", "documents", Durability.ATOMIC));
        StoreException e = assertThrows(StoreException.class, () -> remover.run(store));
        assertTrue(e.getMessage().contains("another program has changed"), e.getMessage());
        assertArrayEquals(
                new int[] {1, 2, 3, 4},
                Zarr.openArray(objects, "", OPTIONS).read().ints());
        assertTrue(Destination.of(objects).resumeRemoval("from"));
    }

    @ParameterizedTest
    @EnumSource(Remover.class)
    void removalThatBeginsFirst_keepsTheSource(Remover remover) {
        MemoryStore objects = MemoryStore.conditional("cloud");
        AtomicBoolean isCopied = new AtomicBoolean();
        Destination copy = copiedTo(new ForwardingStore(objects) {
            @Override
            public WriteResult putNow(String key, Content content, Condition condition, Durability durability)
                    throws IOException {
                if (key.equals("__unfinished") && isCopied.get()) {
                    remover.run(new ForwardingStore(objects));
                }
                return super.putNow(key, content, condition, durability);
            }
        });
        isCopied.set(true);
        StoreException e =
                assertThrows(StoreException.class, () -> copy.beginRemoval("from", "documents", Durability.ATOMIC));
        assertTrue(e.getMessage().contains("removed or replaced"), e.getMessage());
        assertFalse(Destination.of(objects).resumeRemoval("from"));
    }

    /** In a store with locks, the removal has the lock before it reads the record, and the move reads it after. */
    @ParameterizedTest
    @EnumSource(Remover.class)
    void withLocks_moveThatHasTheLockAfterARemovalHasBegun_keepsItsSource(Remover remover) {
        MemoryStore objects = MemoryStore.create();
        Destination copy = copiedTo(objects);
        Store store = new InterruptedWithLocks(
                objects,
                () -> assertThrows(
                        StoreException.class,
                        () -> copy.whileLocked(OPTIONS, () -> {
                            copy.beginRemoval("from", "documents", Durability.ATOMIC);
                            return "";
                        })));
        remover.run(store);
        assertEquals(
                remover == Remover.OVERWRITE, Zarr.find(objects, "", OPTIONS).isPresent());
    }

    /** The record of a removal that failed is that of unfinished work, which another removal ends. */
    @Test
    void removalThatWasKilledAfterItBegan_isRepeated() {
        MemoryStore objects = MemoryStore.conditional("cloud");
        Destination copy = copiedTo(new ForwardingStore(objects));
        Store killed = new ForwardingStore(objects) {
            @Override
            public void deleteAll(String prefix) throws IOException {
                throw new IOException("killed");
            }
        };
        assertThrows(StoreException.class, () -> Removal.of(killed).run(OPTIONS));
        StoreException e =
                assertThrows(StoreException.class, () -> copy.beginRemoval("from", "documents", Durability.ATOMIC));
        assertTrue(e.getMessage().contains("removed or replaced"), e.getMessage());
        Removal.of(new ForwardingStore(objects)).run(OPTIONS);
        assertTrue(Zarr.find(objects, "", OPTIONS).isEmpty());
    }
}
