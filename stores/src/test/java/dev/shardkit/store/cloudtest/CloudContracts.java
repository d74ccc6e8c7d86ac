package dev.shardkit.store.cloudtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.store.ListingsContract;
import dev.shardkit.testkit.store.RemoteChangesContract;
import dev.shardkit.testkit.store.StoreContract;
import dev.shardkit.testkit.store.TreeDeletionsContract;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/** What the stores of all clouds must do alike, on the emulator of each. Subclasses add what differs. */
public abstract class CloudContracts {
    /** Returns a location without objects. */
    protected abstract URI freshLocation();

    /** Opens the store at a location. */
    protected abstract Store open(URI location);

    /** Opens a store without objects. */
    protected final Store fresh() {
        return open(freshLocation());
    }

    private static void put(Store store, String key, byte[] value) throws Exception {
        BlockingStore.to(store).put(key, Content.of(Bytes.of(value)), Durability.ATOMIC);
    }

    @Nested
    class Any extends StoreContract {
        private final URI location = freshLocation();

        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws Exception {
            Store store = reopened().orElseThrow();
            for (Map.Entry<String, byte[]> object : objects.entrySet()) {
                put(store, object.getKey(), object.getValue());
            }
            return store;
        }

        @Override
        protected Optional<Store> reopened() {
            return Optional.of(open(location));
        }
    }

    @Nested
    class Reading extends RemoteChangesContract {
        private final URI location = freshLocation();
        private final Store writer = open(location);

        @Override
        protected Store freshStore() {
            return open(location);
        }

        @Override
        protected void serve(String key, byte[] value) throws Exception {
            put(writer, key, value);
        }

        @AfterEach
        void close() {
            writer.close();
        }
    }

    @Nested
    class Listing extends ListingsContract {
        @Override
        protected Store freshStore() {
            return fresh();
        }
    }

    @Nested
    class DeletingTrees extends TreeDeletionsContract {
        @Override
        protected Store freshStore() {
            return fresh();
        }
    }

    /** Puts an object of 3 MB under conditions, reads it back, and closes the store. */
    protected static void putAndReadLargeObject(Store store) throws Exception {
        byte[] value = new byte[3 * 1000 * 1000];
        new Random(7).nextBytes(value);
        try (store) {
            BlockingStore access = BlockingStore.to(store);
            Content content = Content.of(Bytes.of(value));
            WriteResult made = access.put("a", content, Condition.ABSENT, Durability.ATOMIC);
            assertEquals(WriteResult.NOT_MET, access.put("a", content, Condition.ABSENT, Durability.ATOMIC));
            ObjectSnapshot read = access.open("a").orElseThrow();
            assertEquals(Optional.of(read.version()), ((WriteResult.Done) made).version());
            ByteBuffer all = ByteBuffer.allocate(value.length);
            read.read(0, all);
            assertArrayEquals(value, all.array());
            Condition unchanged = Condition.version(read.version());
            assertInstanceOf(WriteResult.Done.class, access.put("a", content, unchanged, Durability.ATOMIC));
        }
    }
}
