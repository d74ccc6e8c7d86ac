package dev.shardkit.store.cache;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.Copies;
import dev.shardkit.store.Locks;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.http.HttpStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.server.RangeServer;
import dev.shardkit.testkit.store.ConditionsContract;
import dev.shardkit.testkit.store.CopiesContract;
import dev.shardkit.testkit.store.ListingsContract;
import dev.shardkit.testkit.store.LocksContract;
import dev.shardkit.testkit.store.ObjectLocationsContract;
import dev.shardkit.testkit.store.RangeCopiesContract;
import dev.shardkit.testkit.store.RemoteAdapter;
import dev.shardkit.testkit.store.RemoteChangesContract;
import dev.shardkit.testkit.store.RemoteReadsContract;
import dev.shardkit.testkit.store.StoreConcurrencyContract;
import dev.shardkit.testkit.store.StoreContract;
import dev.shardkit.testkit.store.TreeDeletionsContract;
import dev.shardkit.testkit.store.WritesContract;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Cached stores do what stores must, with an empty cache, a full one, and one without room. */
@Tag("one-jdk")
class CacheContractsTest {
    private static final long ROOMY = 1 << 30;

    @TempDir
    private Path folder;

    private Store cached(Store store) throws IOException {
        return CachedStore.of(store, folder.resolve("cache"), ROOMY);
    }

    private static void put(Store store, Map<String, byte[]> objects) throws IOException {
        for (Map.Entry<String, byte[]> object : objects.entrySet()) {
            BlockingStore.to(store).put(object.getKey(), Content.of(Bytes.of(object.getValue())), Durability.ATOMIC);
        }
    }

    @Nested
    class Any extends StoreContract {
        private final MemoryStore behind = MemoryStore.conditional("remote");

        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws IOException {
            put(behind, objects);
            return reopened().orElseThrow();
        }

        @Override
        protected Optional<Store> reopened() throws IOException {
            return Optional.of(cached(RemoteAdapter.of(behind, task -> new Thread(task).start(), 16)));
        }
    }

    @Nested
    class Offline extends StoreContract {
        private final MemoryStore behind = MemoryStore.conditional("remote");

        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws IOException {
            put(behind, objects);
            try (Store online = cached(RemoteAdapter.of(behind))) {
                for (String key : objects.keySet()) {
                    Reading.whole(online, key);
                }
            }
            return reopened().orElseThrow();
        }

        @Override
        protected Optional<Store> reopened() throws IOException {
            return Optional.of(CachedStore.builder(RemoteAdapter.of(behind), folder.resolve("cache"))
                    .mode(CacheMode.OFFLINE)
                    .open());
        }
    }

    private abstract class Served extends RemoteChangesContract {
        private final RangeServer server = RangeServer.start();

        abstract Store over(HttpStore http) throws IOException;

        @Override
        protected Store freshStore() throws IOException {
            return over(HttpStore.builder(URI.create(server.uri() + "/deep%20er/root/"))
                    .freshFor(Duration.ZERO)
                    .build());
        }

        @Override
        protected void serve(String key, byte[] value) {
            server.put("deep er/root/" + key, value);
        }

        @AfterEach
        void stop() {
            server.close();
        }
    }

    @Nested
    class OverHttp extends Served {
        @Override
        Store over(HttpStore http) throws IOException {
            return cached(http);
        }
    }

    @Nested
    class WithoutRoom extends Served {
        @Override
        Store over(HttpStore http) throws IOException {
            return CachedStore.of(http, folder.resolve("small"), 1);
        }
    }

    @Nested
    class WithLittleRoom extends Served {
        @Override
        Store over(HttpStore http) throws IOException {
            return CachedStore.of(http, folder.resolve("small"), 64 << 10);
        }
    }

    @Nested
    class OfACache extends Served {
        @Override
        Store over(HttpStore http) throws IOException {
            return CachedStore.of(cached(http), folder.resolve("second"), ROOMY);
        }
    }

    /** Objects that never change. */
    @Nested
    class Trusting extends RemoteReadsContract {
        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws IOException {
            MemoryStore behind = MemoryStore.conditional("remote");
            put(behind, objects);
            return CachedStore.builder(RemoteAdapter.of(behind), folder.resolve("cache"))
                    .mode(CacheMode.TRUST)
                    .open();
        }
    }

    @Nested
    class Locating extends ObjectLocationsContract {
        private final RangeServer server = RangeServer.start();

        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws IOException {
            objects.forEach((key, value) -> server.put("root/" + key, value));
            return cached(HttpStore.at(URI.create(server.uri() + "/root/")));
        }

        @AfterEach
        void stop() {
            server.close();
        }
    }

    @Nested
    class Writing extends WritesContract {
        @Override
        protected Store freshStore() throws IOException {
            return cached(RemoteAdapter.of(MemoryStore.conditional("remote")));
        }
    }

    @Nested
    class Conditions extends ConditionsContract {
        @Override
        protected Store freshStore() throws IOException {
            return cached(RemoteAdapter.of(MemoryStore.conditional("remote")));
        }
    }

    @Nested
    class RangeCopies extends RangeCopiesContract {
        @Override
        protected Store freshStore() throws IOException {
            return cached(RemoteAdapter.of(MemoryStore.conditional("remote")).copyingRanges());
        }
    }

    @Nested
    class Concurrency extends StoreConcurrencyContract {
        private final MemoryStore behind = MemoryStore.conditional("remote");

        @Override
        protected Store freshStore() throws IOException {
            return cached(RemoteAdapter.of(behind));
        }

        @Override
        protected Store anotherOf(Store store) throws IOException {
            return cached(RemoteAdapter.of(behind));
        }
    }

    @Nested
    class Listing extends ListingsContract {
        @Override
        protected Store freshStore() throws IOException {
            return cached(RemoteAdapter.of(MemoryStore.conditional("remote")));
        }
    }

    @Nested
    class DeletingTrees extends TreeDeletionsContract {
        @Override
        protected Store freshStore() throws IOException {
            return cached(RemoteAdapter.of(MemoryStore.create()).keeping(Set.of(Locks.class)));
        }
    }

    @Nested
    class Locking extends LocksContract {
        @Override
        protected Store freshStore() throws IOException {
            return cached(RemoteAdapter.of(MemoryStore.create()).keeping(Set.of(Locks.class)));
        }
    }

    @Nested
    class Copying extends CopiesContract {
        @Override
        protected Store freshStore() throws IOException {
            return cached(RemoteAdapter.of(MemoryStore.create()).keeping(Set.of(Copies.class)));
        }
    }
}
