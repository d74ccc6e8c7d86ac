package dev.shardkit.store.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Moves;
import dev.shardkit.store.StoreFactory;
import dev.shardkit.store.access.BlockingStore;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class MemoryStoreTest {
    @Test
    void conditionalStore_hasNoLocks() {
        MemoryStore store = MemoryStore.conditional("c");
        assertFalse(store.can(Locks.class));
        assertFalse(store.can(Moves.class));
        assertTrue(BlockingStore.to(store).putsUnderConditions());
        assertThrows(UnsupportedException.class, () -> BlockingStore.to(store).lock("a", "a/k", Duration.ZERO));
    }

    @Test
    void lock_heldByAThread_isNamed() throws IOException {
        MemoryStore store = MemoryStore.create();
        Locks.Lock held = store.lock("a", "a/k", Duration.ZERO);
        StoreException e = assertThrows(StoreException.class, () -> store.lock("a", "a/k", Duration.ZERO));
        assertTrue(e.getMessage().contains("thread " + Thread.currentThread().getName()), e.getMessage());
        held.close();
    }

    @Test
    void factory_sameName_sharesOneStoreWithinTheFactory() {
        MemoryStoreFactory factory = new MemoryStoreFactory();
        assertSame(factory.open(URI.create("memory:demo")), factory.open(URI.create("memory:demo")));
        assertNotSame(factory.open(URI.create("memory:demo")), factory.open(URI.create("memory:other")));
        assertNotSame(
                factory.open(URI.create("memory:demo")), new MemoryStoreFactory().open(URI.create("memory:demo")));
        assertEquals("memory:demo", factory.open(URI.create("memory:demo")).describe());
        for (String uri : List.of("file:demo", "memory:a/b", "memory:a#b", "memory:///a")) {
            assertThrows(IllegalArgumentException.class, () -> factory.open(URI.create(uri)), uri);
        }
    }

    @Test
    void factories_areFoundByServiceLoader() throws IOException {
        List<String> schemes = ServiceLoader.load(StoreFactory.class).stream()
                .map(p -> p.get().name())
                .sorted()
                .toList();
        assertTrue(schemes.containsAll(List.of("file", "memory")), schemes.toString());
    }
}
