package dev.shardkit.cli.base;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.Cli;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** What a command leaves when a store fails while it makes a node. */
class NodeCreationTest {
    private static final StoreException FULL = new StoreException("the disk is full");

    @TempDir
    Path dir;

    /** Fails after {@code before}, which another program may do meanwhile. */
    private void fail(String place, Executable before) {
        try (Store store = Zarr.openStore(dir.resolve(place).toString(), ZarrOptions.defaults())) {
            assertThrows(
                    StoreException.class,
                    () -> NodeCreation.create(store, () -> {
                        Files.createDirectories(dir.resolve(place)); // as the failed write of the document does
                        assertDoesNotThrow(before);
                        throw FULL;
                    }));
        }
    }

    @Test
    void failure_removesTheFoldersThatWereMade() {
        fail("new/deep", () -> {});
        assertFalse(Files.exists(dir.resolve("new")));
    }

    @Test
    void failure_keepsFoldersThatWereThere() throws IOException {
        Files.createDirectory(dir.resolve("old"));
        fail("old", () -> {});
        assertTrue(Files.exists(dir.resolve("old")));
    }

    @Test
    void failure_keepsWhatOthersHaveStored() {
        fail("other", () -> Files.writeString(dir.resolve("other/zarr.json"), "{}"));
        assertTrue(Files.exists(dir.resolve("other/zarr.json")));
        String child = dir.resolve("group/child").toString();
        fail("group", () -> Cli.good("create", child, "--shape", "4", "--data-type", "uint8"));
        assertTrue(Files.exists(dir.resolve("group/child/zarr.json")));
        fail("chunks", () -> Files.writeString(dir.resolve("chunks/__unfinished"), "of another program"));
        assertTrue(Files.exists(dir.resolve("chunks/__unfinished")));
    }

    /** A chunk that does not decode ends a copy to another layout. */
    @Test
    void failedCopy_saysWhatIsLeftAndHowToRemoveIt() throws IOException {
        String from = dir.resolve("from").toString();
        try (ZarrArray array = Zarr.createArray(from, ArraySpec.of("uint8", 4).withChunkShape(2))) {
            array.write(array.domain(), new byte[] {1, 2, 3, 4}, 0);
        }
        Files.write(dir.resolve("from/c/1"), new byte[1]);
        String to = dir.resolve("to").toString();
        Cli.bad(
                1,
                to + " holds an unfinished copy: rerun the command to resume, or remove it by shardkit rm " + to,
                "copy",
                from,
                to,
                "--chunk-shape",
                "4");
        assertEquals(0, Cli.run("rm", to).status());
        assertFalse(Files.exists(dir.resolve("to")));
    }
}
