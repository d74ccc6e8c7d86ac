package dev.shardkit.maintenance.copy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.ForwardingStore;
import dev.shardkit.maintenance.destination.Destination;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Store;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A run of {@code --missing-only} begins and ends while another one of the same mirror is running. */
@Timeout(120)
class OverlappingMirrorsTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults().withDurability(Durability.ATOMIC);
    private static final int[] VALUES = {1, 2, 3, 4};

    /** A target in which another run ends right before a chunk of this run is stored. */
    private static class Shared extends ForwardingStore {
        private final MemoryStore objects;
        private final String key;
        private final Runnable other;
        private boolean isDone;

        Shared(MemoryStore objects, String key, Runnable other) {
            super(objects);
            this.objects = objects;
            this.key = key;
            this.other = other;
        }

        @Override
        public WriteResult putNow(String to, Content content, Condition condition, Durability durability)
                throws IOException {
            if (to.equals(key) && !isDone) {
                isDone = true;
                other.run();
            }
            return super.putNow(to, content, condition, durability);
        }

        MemoryStore objects() {
            return objects;
        }
    }

    private static final class SharedWithLocks extends Shared implements Locks {
        SharedWithLocks(MemoryStore objects, String key, Runnable other) {
            super(objects, key, other);
        }

        @Override
        public Lock lock(String array, String key, Duration patience) throws IOException {
            return objects().lock(array, key, patience);
        }
    }

    private static MemoryStore source() {
        MemoryStore source = MemoryStore.create();
        Zarr.createGroup(source, "", Json.object(), IfExists.REFUSE, OPTIONS);
        for (String name : new String[] {"a", "b"}) {
            ArraySpec spec = ArraySpec.of("int32", 4).withChunkShape(2);
            try (ZarrArray array = Zarr.createArray(source, name, spec, IfExists.REFUSE, OPTIONS)) {
                array.write(array.domain(), VALUES, 0);
            }
        }
        return source;
    }

    private static void mirror(Store source, Store target, ZarrOptions options) {
        Copy.of(Zarr.openGroup(source, "", options)).missingOnlyTo(target, options);
    }

    private static void assertComplete(Store target) {
        for (String name : new String[] {"a", "b"}) {
            assertArrayEquals(
                    VALUES, Zarr.openArray(target, name, OPTIONS).read().ints());
        }
        assertFalse(Destination.of(target).isMarked());
    }

    @Test
    void mirrorThatAnotherRunHasCompleted_isNotToBeRemoved() {
        MemoryStore source = source();
        MemoryStore objects = MemoryStore.conditional("target");
        Store target = new Shared(objects, "b/c/0", () -> mirror(source, new ForwardingStore(objects), OPTIONS));
        StoreException e = assertThrows(StoreException.class, () -> mirror(source, target, OPTIONS));
        assertFalse(e.getMessage().contains("remove the place"), e.getMessage());
        assertTrue(e.getMessage().contains("shardkit verify"), e.getMessage());
        assertComplete(objects);
        mirror(source, target, OPTIONS);
    }

    @Test
    void runThatMakesNoNode_endsAlthoughAnotherHasEnded() throws IOException {
        MemoryStore source = source();
        MemoryStore objects = MemoryStore.conditional("target");
        mirror(source, objects, OPTIONS);
        objects.deleteNow("b/c/0", Condition.ANY);
        mirror(
                source,
                new Shared(objects, "b/c/0", () -> mirror(source, new ForwardingStore(objects), OPTIONS)),
                OPTIONS);
        assertComplete(objects);
    }

    @Test
    void inAStoreWithLocks_onlyOneRunWritesAtATime() {
        MemoryStore source = source();
        MemoryStore objects = MemoryStore.create();
        ZarrOptions impatient = OPTIONS.withLockPatience(Duration.ofMillis(10));
        mirror(
                source,
                new SharedWithLocks(objects, "b/c/0", () -> {
                    CompletableFuture<Void> second =
                            CompletableFuture.runAsync(() -> mirror(source, objects, impatient));
                    Throwable failure = assertThrows(CompletionException.class, second::join)
                            .getCause();
                    assertTrue(failure.getMessage().contains("lock"), failure::toString);
                }),
                OPTIONS);
        assertComplete(objects);
    }
}
