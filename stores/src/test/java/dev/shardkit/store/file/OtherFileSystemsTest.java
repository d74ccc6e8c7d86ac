package dev.shardkit.store.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.store.CopiesContract;
import dev.shardkit.testkit.store.ListingsContract;
import dev.shardkit.testkit.store.LocksContract;
import dev.shardkit.testkit.store.StoreConcurrencyContract;
import dev.shardkit.testkit.store.TreeDeletionsContract;
import dev.shardkit.testkit.store.WritesContract;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OtherFileSystemsTest {
    private static FileStore jimfs(Configuration configuration) {
        return FileStore.at(Jimfs.newFileSystem(configuration).getPath("data"));
    }

    @Nested
    class JimfsContract extends WritesContract {
        @Override
        protected Store freshStore() {
            return jimfs(Configuration.unix());
        }

        @Override
        protected List<String> unusualKeys() {
            List<String> keys = new ArrayList<>(super.unusualKeys());
            keys.addAll(List.of("\u00e4/\u65e5\u672c", "\ud83d\ude00", "a\\b", "a:b", "a?b*"));
            return keys;
        }
    }

    @Nested
    class JimfsConcurrency extends StoreConcurrencyContract {
        @Override
        protected Store freshStore() {
            return jimfs(Configuration.unix());
        }

        @Override
        protected Store anotherOf(Store store) {
            return FileStore.at(((FileStore) store).root());
        }
    }

    @Nested
    class JimfsLocks extends LocksContract {
        @Override
        protected Store freshStore() {
            return jimfs(Configuration.unix());
        }

        @Override
        protected Store anotherOf(Store store) {
            return FileStore.at(((FileStore) store).root());
        }
    }

    @Nested
    class JimfsLists extends ListingsContract {
        @Override
        protected Store freshStore() {
            return jimfs(Configuration.unix());
        }
    }

    @Nested
    class JimfsPrunes extends TreeDeletionsContract {
        @Override
        protected Store freshStore() {
            return jimfs(Configuration.unix());
        }
    }

    @Nested
    class JimfsCopies extends CopiesContract {
        @Override
        protected Store freshStore() {
            return jimfs(Configuration.unix());
        }
    }

    @Nested
    class WindowsPrunes extends TreeDeletionsContract {
        @Override
        protected Store freshStore() {
            return jimfs(Configuration.windows());
        }

        @Override
        protected List<String> keysBeside() {
            return super.keysBeside().stream().filter(k -> !k.startsWith("A")).toList();
        }
    }

    @Nested
    class WindowsContract extends WritesContract {
        @Override
        protected Store freshStore() {
            return jimfs(Configuration.windows());
        }

        @Override
        protected List<String> unusualKeys() {
            return super.unusualKeys().stream()
                    .filter(k -> !k.equals("A/a"))
                    .filter(k -> Arrays.stream(k.split("/"))
                            .allMatch(n -> WindowsNames.refusal(n).isEmpty()))
                    .toList();
        }
    }

    @Test
    void keys_thatMeanMoreOnWindows_areRefused() {
        FileStore store = jimfs(Configuration.windows());
        for (String key : Set.of("a\\b", "..\\x", "C:\\x", "\\x", "a/..\\..\\x", "\\\\host\\share\\x")) {
            assertThrows(IllegalArgumentException.class, () -> store.open(key), key);
            assertThrows(IllegalArgumentException.class, () -> FileStoreTest.put(store, key, "x"), key);
            assertThrows(IllegalArgumentException.class, () -> store.deleteAll(key), key);
        }
    }

    @Test
    void zipFile_canBeReadAndWritten(@TempDir Path dir) throws IOException {
        URI uri = URI.create("jar:" + dir.resolve("a.zip").toUri());
        try (FileSystem zip = FileSystems.newFileSystem(uri, Map.of("create", "true"))) {
            FileStore store = FileStore.at(zip.getPath("/"));
            try {
                FileStoreTest.put(store, "a/c/0", "atomic");
            } catch (ZarrException e) {
                store.put("a/c/0", Texts.content("atomic"), Durability.NONE);
            }
            store.put("a/zarr.json", Texts.content("{}"), Durability.NONE);
            store.put("a/c/1", Texts.content("gone"), Durability.NONE);
            assertTrue(store.delete("a/c/1"));
        }
        try (FileSystem zip = FileSystems.newFileSystem(uri, Map.of())) {
            FileStore store = FileStore.at(zip.getPath("/"));
            assertEquals("atomic", FileStoreTest.get(store, "a/c/0"));
            assertEquals(Set.of("zarr.json", "c"), Texts.names(store, "a"));
            assertTrue(store.open("a").isEmpty());
            assertTrue(store.open("a/c/1").isEmpty());
            assertTrue(store.open("x/y").isEmpty());
            assertTrue(store.describe().contains("a.zip"), store.describe());
            try (ObjectSnapshot snapshot =
                    FileStore.at(zip.getPath("/a")).open("zarr.json").orElseThrow()) {
                assertEquals(2, snapshot.size());
            }
        }
    }
}
