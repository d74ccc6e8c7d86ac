package dev.shardkit.store.zip;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.http.HttpStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.server.RangeServer;
import dev.shardkit.testkit.store.CommitsContract;
import dev.shardkit.testkit.store.ConditionsContract;
import dev.shardkit.testkit.store.ListingsContract;
import dev.shardkit.testkit.store.LocalReadsContract;
import dev.shardkit.testkit.store.ObjectLocationsContract;
import dev.shardkit.testkit.store.RemoteChangesContract;
import dev.shardkit.testkit.store.StoreConcurrencyContract;
import dev.shardkit.testkit.store.StoreContract;
import dev.shardkit.testkit.store.TreeDeletionsContract;
import dev.shardkit.testkit.store.WritesContract;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Stores of archives do what stores must. */
@Tag("one-jdk")
class ZipContractsTest {
    /** An extra field of a program's own. */
    private static final byte[] EXTRA = {0x42, 0x42, 3, 0, 1, 2, 3};

    @TempDir
    private Path folder;

    private int archives;

    /** Makes an archive. */
    private interface Form {
        byte[] of(Map<String, byte[]> objects) throws Exception;
    }

    private Store local(Map<String, byte[]> objects, Form form) throws Exception {
        Path file = folder.resolve("archive" + archives++ + ".zip");
        Files.write(file, form.of(objects));
        return ZipStore.at(file);
    }

    @Nested
    class Stored extends LocalReadsContract {
        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws Exception {
            return local(objects, Archives::stored);
        }
    }

    @Nested
    class StoredWithExtraFields extends LocalReadsContract {
        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws Exception {
            return local(objects, o -> Archives.stored(o, EXTRA));
        }
    }

    @Nested
    class Deflated extends LocalReadsContract {
        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws Exception {
            return local(objects, Archives::deflated);
        }
    }

    @Nested
    class Published extends LocalReadsContract {
        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws Exception {
            Path file = folder.resolve("archive" + archives++ + ".zip");
            write(file, objects);
            return ZipStore.at(file);
        }
    }

    @Nested
    class PartOfAnArchive extends LocalReadsContract {
        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws Exception {
            Map<String, byte[]> below = new LinkedHashMap<>(Map.of("other", new byte[9], "x/yz", new byte[8]));
            objects.forEach((key, bytes) -> below.put("x/y/" + key, bytes));
            Path file = folder.resolve("archive" + archives++ + ".zip");
            Files.write(file, Archives.stored(below));
            return ZipStore.builder(
                            dev.shardkit.store.file.FileStore.at(folder),
                            file.getFileName().toString())
                    .below("x/y")
                    .open();
        }
    }

    private static void write(Path file, Map<String, byte[]> objects) throws Exception {
        try (ZipStore store = ZipStore.at(file)) {
            for (Map.Entry<String, byte[]> object : objects.entrySet()) {
                BlockingStore.to(store)
                        .put(object.getKey(), Content.of(Bytes.of(object.getValue())), Durability.ATOMIC);
            }
        }
    }

    @Nested
    class Writing extends WritesContract {
        @Override
        protected Store freshStore() throws Exception {
            return ZipStore.at(folder.resolve("new/written.zip"));
        }

        @Override
        protected List<String> unusualKeys() {
            List<String> keys = new ArrayList<>(super.unusualKeys());
            keys.addAll(List.of("ä/日", "a\\b", "\"q\"", "😀", "C:/x"));
            return keys;
        }
    }

    /** Over an archive that has entries already. */
    @Nested
    class Rewriting extends WritesContract {
        @Override
        protected Store freshStore() throws Exception {
            Path file = folder.resolve("rewritten.zip");
            Files.write(file, Archives.stored(Map.of("k", new byte[5000], "a/b", new byte[3])));
            ZipStore store = ZipStore.at(file);
            BlockingStore.to(store).deleteAll("");
            return store;
        }
    }

    @Nested
    class Conditions extends ConditionsContract {
        @Override
        protected Store freshStore() throws Exception {
            return ZipStore.at(folder.resolve("conditions.zip"));
        }
    }

    @Nested
    class Listing extends ListingsContract {
        @Override
        protected Store freshStore() throws Exception {
            return ZipStore.at(folder.resolve("listed.zip"));
        }
    }

    @Nested
    class Concurrency extends StoreConcurrencyContract {
        @Override
        protected Store freshStore() throws Exception {
            return ZipStore.at(folder.resolve("concurrent.zip"));
        }
    }

    @Nested
    class Committing extends CommitsContract {
        @Override
        protected Store freshStore() throws Exception {
            return reopened();
        }

        @Override
        protected Store reopened() throws Exception {
            return ZipStore.at(folder.resolve("committed.zip"));
        }
    }

    @Nested
    class DeletingTrees extends TreeDeletionsContract {
        @Override
        protected Store freshStore() throws Exception {
            return ZipStore.at(folder.resolve("pruned.zip"));
        }
    }

    @Nested
    class Locating extends ObjectLocationsContract {
        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws Exception {
            return local(objects, o -> Archives.stored(o, EXTRA));
        }
    }

    @Nested
    class LocalStore extends StoreContract {
        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws Exception {
            return local(objects, Archives::stored);
        }

        @Override
        protected Optional<Store> reopened() throws Exception {
            return Optional.of(ZipStore.at(folder.resolve("archive0.zip")));
        }
    }

    @Nested
    class RemoteStore extends StoreContract {
        private final RangeServer server = RangeServer.start();

        @AfterEach
        void stop() {
            server.close();
        }

        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws Exception {
            server.put("a.zip", Archives.stored(objects));
            return reopened().orElseThrow();
        }

        @Override
        protected Optional<Store> reopened() throws Exception {
            return Optional.of(
                    ZipStore.builder(HttpStore.at(server.uri()), "a.zip").open());
        }
    }

    private abstract static class Remote extends RemoteChangesContract {
        private final RangeServer server = RangeServer.start();
        private final Map<String, byte[]> objects = new LinkedHashMap<>();

        @AfterEach
        void stop() {
            server.close();
        }

        abstract byte[] archive(Map<String, byte[]> of) throws Exception;

        @Override
        protected Store freshStore() throws Exception {
            server.put("x/a.zip", archive(objects));
            Store host = HttpStore.builder(server.uri().resolve("/x/"))
                    .freshFor(Duration.ZERO)
                    .build();
            return ZipStore.builder(host, "a.zip").open();
        }

        @Override
        protected void serve(String key, byte[] value) throws Exception {
            objects.put(key, value);
            server.put("x/a.zip", archive(objects));
        }
    }

    @Nested
    class RemoteStored extends Remote {
        @Override
        byte[] archive(Map<String, byte[]> of) throws Exception {
            return Archives.stored(of);
        }
    }

    @Nested
    class RemoteStoredWithExtraFields extends Remote {
        @Override
        byte[] archive(Map<String, byte[]> of) throws Exception {
            return Archives.stored(of, EXTRA);
        }
    }

    @Nested
    class RemoteDeflated extends Remote {
        @Override
        byte[] archive(Map<String, byte[]> of) throws Exception {
            return Archives.deflated(of);
        }
    }
}
