package dev.shardkit.store.memory;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.Store;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.store.ConditionsContract;
import dev.shardkit.testkit.store.CopiesContract;
import dev.shardkit.testkit.store.ListingsContract;
import dev.shardkit.testkit.store.LocksContract;
import dev.shardkit.testkit.store.MovesContract;
import dev.shardkit.testkit.store.StoreConcurrencyContract;
import dev.shardkit.testkit.store.StoreContract;
import dev.shardkit.testkit.store.TreeDeletionsContract;
import dev.shardkit.testkit.store.WritesContract;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;

/** A suite for each ability of stores in memory. */
class MemoryContractsTest {
    static MemoryStore storeOf(MemoryStore store, Map<String, byte[]> objects) throws IOException {
        for (Map.Entry<String, byte[]> object : objects.entrySet()) {
            store.put(object.getKey(), Content.of(Bytes.of(object.getValue())), Durability.ATOMIC);
        }
        return store;
    }

    @Nested
    class Any extends StoreContract {
        private final MemoryStore store = MemoryStore.create();

        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws IOException {
            return MemoryContractsTest.storeOf(store, objects);
        }

        @Override
        protected Optional<Store> reopened() {
            return Optional.of(store);
        }
    }

    @Nested
    class AnyWithoutLocks extends StoreContract {
        private final MemoryStore store = MemoryStore.conditional("c");

        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws IOException {
            return MemoryContractsTest.storeOf(store, objects);
        }

        @Override
        protected Optional<Store> reopened() {
            return Optional.of(store);
        }
    }

    @Nested
    class Writing extends WritesContract {
        @Override
        protected Store freshStore() {
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
        protected Store freshStore() {
            return MemoryStore.create();
        }
    }

    @Nested
    class Conditions extends ConditionsContract {
        @Override
        protected Store freshStore() {
            return MemoryStore.create();
        }
    }

    @Nested
    class ConditionsWithoutLocks extends ConditionsContract {
        @Override
        protected Store freshStore() {
            return MemoryStore.conditional("c");
        }
    }

    @Nested
    class Listing extends ListingsContract {
        @Override
        protected Store freshStore() {
            return MemoryStore.create();
        }
    }

    @Nested
    class Locking extends LocksContract {
        @Override
        protected Store freshStore() {
            return MemoryStore.create();
        }
    }

    @Nested
    class Copying extends CopiesContract {
        @Override
        protected Store freshStore() {
            return MemoryStore.create();
        }
    }

    @Nested
    class Moving extends MovesContract {
        @Override
        protected Store freshStore() {
            return MemoryStore.create();
        }

        @Override
        protected Store secondStore() {
            return MemoryStore.named("second");
        }
    }

    @Nested
    class DeletingTrees extends TreeDeletionsContract {
        @Override
        protected Store freshStore() {
            return MemoryStore.create();
        }
    }
}
