package dev.shardkit.store.hadoop;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Store;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.Writes;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.store.LeftoverCleanupContract;
import dev.shardkit.testkit.store.ListingsContract;
import dev.shardkit.testkit.store.RemoteChangesContract;
import dev.shardkit.testkit.store.StoreConcurrencyContract;
import dev.shardkit.testkit.store.StoreContract;
import dev.shardkit.testkit.store.TreeDeletionsContract;
import dev.shardkit.testkit.store.WritesContract;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/** The suites that the store passes on all file systems that it writes. */
abstract class HadoopContracts {
    /** Returns a location without objects. */
    abstract URI freshLocation();

    abstract Configuration settings();

    /** Returns unusual keys for reads that the file system can hold. */
    abstract List<String> held(List<String> keys);

    private Store open(URI location) {
        return HadoopStore.at(location, settings());
    }

    private static void put(Store store, String key, byte[] value) throws Exception {
        BlockingStore.to(store).put(key, Content.of(Bytes.of(value)), Durability.ATOMIC);
    }

    @Nested
    class Any extends StoreContract {
        private final URI location = freshLocation();

        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws Exception {
            Store store = open(location);
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
        protected List<String> unusualKeys() {
            return held(super.unusualKeys());
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
        /** As many puts at once as the store makes: there are a thousand objects. */
        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws Exception {
            Store store = freshStore();
            Writes writes = store.need(Writes.class, "testing");
            List<CompletableFuture<WriteResult>> puts = new ArrayList<>();
            objects.forEach((key, value) ->
                    puts.add(writes.put(key, Content.of(Bytes.of(value)), Condition.ANY, Durability.ATOMIC)
                            .toCompletableFuture()));
            for (CompletableFuture<WriteResult> put : puts) {
                put.get();
            }
            return store;
        }

        @Override
        protected Store freshStore() {
            return open(freshLocation());
        }
    }

    @Nested
    class Writing extends WritesContract {
        @Override
        protected Store freshStore() {
            return open(freshLocation());
        }
    }

    @Nested
    class Concurrency extends StoreConcurrencyContract {
        @Override
        protected Store freshStore() {
            return open(freshLocation());
        }
    }

    @Nested
    class DeletingTrees extends TreeDeletionsContract {
        @Override
        protected Store freshStore() {
            return open(freshLocation());
        }
    }

    @Nested
    class CleaningUp extends LeftoverCleanupContract {
        private final URI location = freshLocation();

        @Override
        protected Store freshStore() {
            return open(location);
        }

        @Override
        protected void leaveTemporary(Store store, String prefix, int bytes) throws Exception {
            Path file = new Path(location + "/" + prefix + "/" + HadoopBlockingWrites.TEMPORARY + "killed");
            try (FileSystem made = FileSystem.newInstance(location, settings())) {
                FileSystem files = made instanceof LocalFileSystem local ? local.getRawFileSystem() : made;
                try (FSDataOutputStream out = files.create(file)) {
                    out.write(new byte[bytes]);
                }
                files.setTimes(
                        file, System.currentTimeMillis() - Duration.ofDays(2).toMillis(), -1);
            }
        }
    }
}
