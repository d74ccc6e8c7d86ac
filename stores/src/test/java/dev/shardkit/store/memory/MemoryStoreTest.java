package dev.shardkit.store.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.BlockingStore;
import dev.shardkit.store.StoreFactory;
import dev.shardkit.testkit.ConditionalStoreContract;
import dev.shardkit.testkit.StoreConcurrencyContract;
import dev.shardkit.testkit.StoreContract;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class MemoryStoreTest {
    @Nested
    class Contract extends StoreContract {
        @Override
        protected BlockingStore freshStore() {
            return MemoryStore.create();
        }

        @Override
        protected List<String> unusualKeys() {
            List<String> keys = new ArrayList<>(super.unusualKeys());
            keys.addAll(List.of("\u00e4/\u65e5\u672c", "\ud83d\ude00", "a\\b", "a:b", "a?b*", "a\nb", " "));
            return keys;
        }
    }

    @Nested
    class Concurrency extends StoreConcurrencyContract {
        @Override
        protected BlockingStore freshStore() {
            return MemoryStore.create();
        }
    }

    @Nested
    class Conditions extends ConditionalStoreContract {
        @Override
        protected BlockingStore freshStore() {
            return MemoryStore.create();
        }
    }

    @Nested
    class ConditionsWithoutLocks extends ConditionalStoreContract {
        @Override
        protected BlockingStore freshStore() {
            return MemoryStore.conditional("c");
        }
    }

    @Test
    void conditionalStore_hasNoLocks() {
        MemoryStore store = MemoryStore.conditional("c");
        assertEquals(Set.of(BlockingStore.Capability.CONDITIONAL_PUT), store.capabilities());
        assertThrows(UnsupportedException.class, () -> store.lock("a", "a/k", Duration.ZERO));
    }

    @Test
    void lock_heldByAThread_isNamed() throws IOException {
        MemoryStore store = MemoryStore.create();
        BlockingStore.Lock held = store.lock("a", "a/k", Duration.ZERO);
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
