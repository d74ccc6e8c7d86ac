package org.example.zip;

import dev.shardkit.store.Store;
import dev.shardkit.testkit.store.ListingsContract;
import dev.shardkit.testkit.store.LocalReadsContract;
import dev.shardkit.testkit.store.StoreConcurrencyContract;
import dev.shardkit.testkit.store.StoreContract;
import dev.shardkit.testkit.store.TreeDeletionsContract;
import dev.shardkit.testkit.store.WritesContract;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** One contract for each thing that the store can do. */
class ZipStoreTest {
    @TempDir
    private Path folder;

    private static Store at(Path archive) throws Exception {
        return new ZipStore().open(new URI("zip", archive.toString(), null));
    }

    private Path written(Map<String, byte[]> objects) throws IOException {
        Path archive = Files.createTempFile(folder, "store", ".zip");
        try (OutputStream file = Files.newOutputStream(archive);
                ZipOutputStream zip = new ZipOutputStream(file)) {
            for (Map.Entry<String, byte[]> e : objects.entrySet()) {
                zip.putNextEntry(new ZipEntry(e.getKey()));
                zip.write(e.getValue());
                zip.closeEntry();
            }
        }
        return archive;
    }

    @Nested
    class Reading extends LocalReadsContract {
        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws Exception {
            return at(written(objects));
        }
    }

    // example: writing
    @Nested
    class Writing extends WritesContract {
        @Override
        protected Store freshStore() throws Exception {
            return at(folder.resolve("written.zip"));
        }
    }
    // end

    @Nested
    class Any extends StoreContract {
        private Path archive = Path.of("");

        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws Exception {
            archive = written(objects);
            return at(archive);
        }

        @Override
        protected Optional<Store> reopened() throws Exception {
            return Optional.of(at(archive));
        }
    }

    @Nested
    class Concurrency extends StoreConcurrencyContract {
        @Override
        protected Store freshStore() throws Exception {
            return at(folder.resolve("shared.zip"));
        }
    }

    @Nested
    class DeletingTrees extends TreeDeletionsContract {
        @Override
        protected Store freshStore() throws Exception {
            return at(folder.resolve("pruned.zip"));
        }
    }

    @Nested
    class Listing extends ListingsContract {
        @Override
        protected Store freshStore() throws Exception {
            return at(folder.resolve("listed.zip"));
        }

        /** In one go: each put makes the archive anew. */
        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws Exception {
            return at(written(objects));
        }
    }
}
