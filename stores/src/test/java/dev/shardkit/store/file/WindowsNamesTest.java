package dev.shardkit.store.file;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.policy.Durability;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys that a file system with the names of Windows cannot hold. */
class WindowsNamesTest {
    private static final byte[] BYTES = {1};
    private static final String LONG_NAME = "n".repeat(200);

    private static void put(FileStore store, String key) {
        store.put(key, Content.of(Bytes.of(BYTES)), Durability.ATOMIC);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "con",
                "NUL.zarr",
                "aux.tar.gz",
                "com1",
                "LPT9.x",
                "com\u00b9",
                "nul .x",
                "dot.",
                "blank ",
                "a<",
                "a>",
                "a:b",
                "a\"b",
                "a|b",
                "a?",
                "a*",
                "a\\b",
                "a\tb"
            })
    void nameThatWindowsCannotHold_isRefusedByName_beforeAnythingIsWritten(String name) throws IOException {
        try (FileSystem windows = Jimfs.newFileSystem(Configuration.windows());
                FileStore store = FileStore.at(windows.getPath("C:\\data"))) {
            String key = "g/" + name + "/zarr.json";
            IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> put(store, key));
            assertTrue(e.getMessage().contains(name), e.getMessage());
            assertFalse(Files.exists(windows.getPath("C:\\data")));
        }
        try (FileSystem unix = Jimfs.newFileSystem(Configuration.unix());
                FileStore store = FileStore.at(unix.getPath("/data"))) {
            put(store, "g/" + name + "/zarr.json");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"conx", "com0", "com10", "console.zarr", "anul", "a.con", ".zarray", "\u00fc", "a b"})
    void otherNames_areKeys(String name) throws IOException {
        try (FileSystem windows = Jimfs.newFileSystem(Configuration.windows());
                FileStore store = FileStore.at(windows.getPath("C:\\data"))) {
            put(store, name + "/zarr.json");
            assertTrue(Files.exists(windows.getPath("C:\\data\\" + name + "\\zarr.json")));
        }
    }

    @Test
    void longestNames_haveThatManyUnits() {
        assertTrue(WindowsNames.refusal("\u00fc".repeat(255)).isEmpty());
        assertTrue(WindowsNames.refusal("\u00fc".repeat(256)).orElseThrow().contains("256"));
    }

    @Test
    void longestPath_isBounded_beforeAnythingIsWritten() throws IOException {
        try (FileSystem windows = Jimfs.newFileSystem(Configuration.windows());
                FileStore store = FileStore.at(windows.getPath("C:\\data"))) {
            String key = (LONG_NAME + "/").repeat(162) + "zarr.json";
            StoreException e = assertThrows(StoreException.class, () -> put(store, key));
            assertTrue(e.getMessage().contains("a path of 32579 characters and 163 names"), e.getMessage());
            assertFalse(Files.exists(windows.getPath("C:\\data")));
            put(store, key.substring(LONG_NAME.length() + 1));
        }
    }
}
