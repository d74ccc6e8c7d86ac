package dev.shardkit.store.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import com.google.common.jimfs.PathNormalization;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Names that a file system takes for one: in upper and lower case, and in two forms of Unicode. */
class FoldedNamesTest {
    private static final String COMPOSED = "caf\u00e9";
    private static final String DECOMPOSED = "cafe\u0301";

    private static void put(FileStore store, String key, String text) {
        store.put(key, Texts.content(text), Durability.ATOMIC);
    }

    private static void assertRefused(String other, Executable call) {
        String message = assertThrows(StoreException.class, call).getMessage();
        assertTrue(message.contains("is the existing folder " + other), message);
    }

    @Test
    void nodesThatAreOneFolder_areRefused() throws IOException {
        for (Configuration system : List.of(Configuration.windows(), Configuration.osX())) {
            try (FileSystem files = Jimfs.newFileSystem(system)) {
                FileStore store = FileStore.at(files.getPath("data"));
                put(store, "g/a/zarr.json", "first");
                for (String key : List.of("g/A/zarr.json", "G/a/zarr.json", "G/A/.zarray")) {
                    assertRefused(key.startsWith("G") ? "g" : "a", () -> put(store, key, "second"));
                }
                for (String key : List.of("g/A/zarr.json", "G/a/zarr.json")) {
                    assertRefused(key.startsWith("G") ? "g" : "a", () -> store.open(key));
                }
                assertTrue(store.open("g/B/zarr.json").isEmpty());
                assertTrue(store.open("g/A/.zarray").isEmpty());
                put(store, "g/other/zarr.json", "other");
                put(store, "g/a/c/0", "chunk");
                put(store, "g/a/zarr.json", "second");
                assertEquals("second", FileStoreTest.get(store, "g/a/zarr.json"));
            }
        }
    }

    /** As on macOS. */
    @Test
    void formsOfUnicode_areOneName_whereTheFileSystemSaysSo() throws IOException {
        Configuration system = Configuration.unix().toBuilder()
                .setNameCanonicalNormalization(PathNormalization.NFD, PathNormalization.CASE_FOLD_ASCII)
                .build();
        try (FileSystem files = Jimfs.newFileSystem(system)) {
            FileStore store = FileStore.at(files.getPath("data"));
            put(store, COMPOSED + "/zarr.json", "first");
            assertRefused(COMPOSED, () -> put(store, DECOMPOSED + "/zarr.json", "second"));
            assertRefused(COMPOSED, () -> store.open(DECOMPOSED + "/zarr.json"));
            assertEquals("first", FileStoreTest.get(store, COMPOSED + "/zarr.json"));
        }
    }

    @Test
    void elsewhere_allNamesDiffer() throws IOException {
        try (FileSystem files = Jimfs.newFileSystem(Configuration.unix())) {
            FileStore store = FileStore.at(files.getPath("data"));
            List<String> names = List.of("a", "A", COMPOSED, DECOMPOSED);
            for (int i = 0; i < names.size(); i++) {
                put(store, names.get(i) + "/zarr.json", "node " + i);
            }
            for (int i = 0; i < names.size(); i++) {
                assertEquals("node " + i, FileStoreTest.get(store, names.get(i) + "/zarr.json"));
            }
        }
    }

    @Test
    void thisDisk_neverMixesNodes(@TempDir Path dir) throws IOException {
        FileStore store = FileStore.at(dir);
        put(store, "g/image/zarr.json", "first");
        if (TestDisk.ignoresCase(dir)) {
            assertRefused("image", () -> put(store, "g/Image/zarr.json", "second"));
            if (TestDisk.holds(dir, "Image")) {
                assertRefused("image", () -> store.open("g/Image/zarr.json"));
            }
        } else {
            put(store, "g/Image/zarr.json", "second");
            assertEquals("second", FileStoreTest.get(store, "g/Image/zarr.json"));
        }
        assertEquals("first", FileStoreTest.get(store, "g/image/zarr.json"));
    }

    /** A driver that lists all names in lower case does not say which name a node has. */
    @Test
    void thisDisk_readsWhatItHolds(@TempDir Path dir) throws IOException {
        FileStore store = FileStore.at(dir);
        put(store, "g/Image/zarr.json", "first");
        assertEquals("first", FileStoreTest.get(store, "g/Image/zarr.json"));
        if (TestDisk.holds(dir, "Image")) {
            put(store, "g/Image/zarr.json", "second");
            assertEquals("second", FileStoreTest.get(store, "g/Image/zarr.json"));
        }
    }
}
