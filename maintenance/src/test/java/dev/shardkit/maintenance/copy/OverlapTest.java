package dev.shardkit.maintenance.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.base.SourceNode;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sources and targets that are one place under two names. */
class OverlapTest {
    @TempDir
    private Path dir;

    private static boolean overlap(Path one, Path other) {
        boolean found = SourceNode.overlap(one, other);
        assertEquals(found, SourceNode.overlap(other, one));
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
        Path link = Files.createSymbolicLink(dir.resolve("l.zarr"), own);
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
}
