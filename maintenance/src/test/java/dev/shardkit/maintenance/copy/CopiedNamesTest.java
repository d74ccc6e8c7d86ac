package dev.shardkit.maintenance.copy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.Mode;
import dev.shardkit.maintenance.convert.Conversion;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * Trees with names that the target's disk cannot store, or cannot distinguish, are refused before anything is written.
 */
class CopiedNamesTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();

    private static ZarrGroup tree(MemoryStore store, String... names) {
        ZarrGroup root = Zarr.createGroup(store, "", Json.object(), IfExists.REFUSE, OPTIONS);
        ZarrGroup group = root.createGroup("g", Json.object(), IfExists.REFUSE);
        for (String name : names) {
            ZarrArray array = group.createArray(name, ArraySpec.of("int8", 2), IfExists.REFUSE);
            array.write(array.domain(), name.getBytes(), 0);
        }
        return root;
    }

    private static void assertRefused(Configuration disk, String expected, String... names) throws IOException {
        MemoryStore store = MemoryStore.create();
        try (FileSystem files = Jimfs.newFileSystem(disk);
                ZarrGroup source = tree(store, names)) {
            Path root = files.getRootDirectories().iterator().next().resolve("data");
            try (FileStore target = FileStore.at(root)) {
                RuntimeException e = assertThrows(
                        RuntimeException.class, () -> Copy.of(source).to(target, OPTIONS));
                assertTrue(e.getMessage().contains(expected), e.getMessage());
                assertThrows(RuntimeException.class, () -> Copy.of(source).missingOnlyTo(target, OPTIONS));
                assertThrows(RuntimeException.class, () -> Copy.of(source).inParts(target, OPTIONS));
                Conversion conversion = Conversion.to(store, target, OPTIONS);
                assertThrows(RuntimeException.class, () -> conversion.run(Mode.APPLY, node -> {}));
            }
            assertFalse(Files.exists(root), "nothing is written");
        }
    }

    @Test
    void namesThatDifferInCase_areRefused_whereTheDiskIgnoresCase() throws IOException {
        for (Configuration disk : new Configuration[] {Configuration.windows(), Configuration.osX()}) {
            assertRefused(disk, "the nodes Ab and ab of \"g\" cannot both be in", "Ab", "ab", "zz");
        }
    }

    @Test
    void namesOfDevices_areRefused_onWindows() throws IOException {
        assertRefused(Configuration.windows(), "\"nul\" is the name of a device on Windows", "ab", "nul");
    }

    @Test
    void elsewhere_allNamesAreCopied() throws IOException {
        try (FileSystem files = Jimfs.newFileSystem(Configuration.unix());
                ZarrGroup source = tree(MemoryStore.create(), "Ab", "ab", "nu", "NU");
                FileStore target = FileStore.at(files.getPath("/data"))) {
            Copy.of(source).to(target, OPTIONS);
            for (String name : new String[] {"Ab", "ab", "nu", "NU"}) {
                assertArrayEquals(
                        name.getBytes(),
                        Zarr.openArray(target, "g/" + name, OPTIONS).read().bytes());
            }
        }
    }
}
