package dev.shardkit.maintenance.copy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.local.LocalFolders;
import dev.shardkit.store.Store;
import dev.shardkit.testkit.internal.LinksAndPipes;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sources and targets that are the same location under two names. */
class OverlapTest {
    @TempDir
    private Path dir;

    private static boolean overlap(Path one, Path other) {
        boolean found = LocalFolders.overlap(one, other);
        assertEquals(found, LocalFolders.overlap(other, one));
        return found;
    }

    @Test
    void namesThatDifferInCase_areOnePlace_whereTheFileSystemIgnoresCase() throws IOException {
        try (FileSystem files = Jimfs.newFileSystem(Configuration.osX())) {
            Path one = Files.createDirectories(files.getPath("/data/r.zarr"));
            assertTrue(overlap(one, files.getPath("/data/R.zarr")));
            assertTrue(overlap(one, files.getPath("/DATA/R.zarr/new/place")));
            assertTrue(overlap(one, files.getPath("/Data")));
            assertEquals(false, overlap(one, files.getPath("/data/r2.zarr")));
            assertEquals(false, overlap(one, files.getPath("/data/new/r.zarr")));
        }
    }

    @Test
    void namesThatDifferInCase_areTwoPlaces_elsewhere() throws IOException {
        try (FileSystem files = Jimfs.newFileSystem(Configuration.unix())) {
            Path one = Files.createDirectories(files.getPath("/data/r.zarr"));
            assertEquals(false, overlap(one, files.getPath("/data/R.zarr")));
            Files.createSymbolicLink(files.getPath("/data/R.zarr"), one);
            assertTrue(overlap(one, files.getPath("/data/R.zarr")));
            assertTrue(overlap(one, files.getPath("/data/R.zarr/new")));
        }
    }

    @Test
    void copyOverItsOwnSource_isRefused_andTheSourceStays() throws IOException {
        ZarrOptions options = ZarrOptions.defaults();
        Path own = dir.resolve("r.zarr");
        Path link = LinksAndPipes.link(dir.resolve("l.zarr"), own);
        try (ZarrArray array = Zarr.createArray(own.toString(), ArraySpec.of("int8", 4))) {
            for (Path place : new Path[] {own, link, link.resolve("below")}) {
                try (Store target = Zarr.openStore(place.toString(), options)) {
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> Copy.of(array).overwriting().to(target, options));
                }
                assertTrue(Files.exists(own.resolve("zarr.json")), place.toString());
            }
        }
    }

    @Test
    void archivesAreComparedByTheirFile_andByThePathInIt() throws IOException {
        String archive = "zip:file:" + Files.createFile(dir.resolve("a!.zip"));
        String link = "zip:file:" + LinksAndPipes.link(dir.resolve("l.zip"), dir.resolve("a!.zip"));
        String absent = "zip:file:" + dir.resolve("new.zip");
        assertTrue(LocalFolders.overlap(archive, archive));
        assertTrue(LocalFolders.overlap(archive, link));
        assertTrue(LocalFolders.overlap(archive + "!x", link));
        assertTrue(LocalFolders.overlap(archive + "!x", link + "!x/y"));
        assertTrue(LocalFolders.overlap("file:" + dir, archive + "!x"));
        assertTrue(LocalFolders.overlap(absent, absent));
        assertEquals(false, LocalFolders.overlap(archive + "!x", link + "!y"));
        assertEquals(false, LocalFolders.overlap(archive + "!x", link + "!xy"));
        assertEquals(false, LocalFolders.overlap(archive, absent));
        assertEquals(false, LocalFolders.overlap("file:" + dir.resolve("other"), archive));
    }

    @Test
    void copyOfAnArchiveOverItself_isRefused_andTheSourceStays() throws IOException {
        ZarrOptions options = ZarrOptions.defaults();
        Path own = dir.resolve("a.zip");
        Path link = LinksAndPipes.link(dir.resolve("l.zip"), own);
        Zarr.createArray(own.toString(), ArraySpec.of("int8", 4)).close();
        byte[] before = Files.readAllBytes(own);
        try (ZarrArray array = Zarr.openArray(own.toString());
                Store target = Zarr.openStore(link.toString(), options)) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> Copy.of(array).overwriting().to(target, options));
        }
        assertArrayEquals(before, Files.readAllBytes(own));
    }
}
