package org.example.zip;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plug-in is found by its services line; shards are read from within an archive. */
class ShardInArchiveTest {
    @Test
    void shardedArray_inAnArchive_isRead(@TempDir Path folder) throws IOException {
        int[] values = IntStream.range(0, 64 * 64).toArray();
        Path plain = folder.resolve("array");
        ArraySpec spec = ArraySpec.of("int32", 64, 64)
                .chunkShape(8, 8)
                .shardShape(32, 32)
                .codecs(Codecs.zstd(3));
        try (ZarrArray array = Zarr.createArray(plain.toString(), spec)) {
            array.write(array.domain(), values, 0);
        }
        Path archive = folder.resolve("array.zip");
        pack(plain, archive);
        try (ZarrArray array = Zarr.openArray("zip:" + archive)) {
            assertArrayEquals(values, array.read().ints());
            assertEquals(
                    9 * 64 + 9,
                    array.read(Box.of(new long[] {9, 9}, new long[] {1, 1})).ints()[0]);
        }
    }

    private static void pack(Path from, Path archive) throws IOException {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(from)) {
            files = walk.filter(Files::isRegularFile).toList();
        }
        try (OutputStream file = Files.newOutputStream(archive);
                ZipOutputStream zip = new ZipOutputStream(file)) {
            for (Path f : files) {
                zip.putNextEntry(new ZipEntry(from.relativize(f).toString().replace('\\', '/')));
                Files.copy(f, zip);
                zip.closeEntry();
            }
        }
    }
}
