package org.example.zip;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.store.policy.WriteOwnership;
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
                .withChunkShape(8, 8)
                .withShardShape(32, 32)
                .withCodecs(Codecs.zstd(3));
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

    /** The archive has no locks: its owner writes. */
    @Test
    void shardedArray_isWrittenIntoAnArchive_andChanged(@TempDir Path folder) {
        String archive = "zip:" + folder.resolve("new.zip");
        ArraySpec spec = ArraySpec.of("int32", 8, 8).withChunkShape(2, 2).withShardShape(4, 4);
        ZarrOptions owner = ZarrOptions.defaults().withOwnership(WriteOwnership.OWNED);
        int[] values = IntStream.range(0, 64).toArray();
        try (ZarrArray array = Zarr.createArray(archive, spec, IfExists.REFUSE, owner)) {
            array.write(array.domain(), values, 0);
            array.write(Box.of(new long[] {1, 1}, new long[] {1, 1}), new int[] {-1}, 0);
        }
        values[9] = -1;
        try (ZarrArray array = Zarr.openArray(archive)) {
            assertArrayEquals(values, array.read().ints());
            assertThrows(UnsupportedException.class, () -> array.write(array.domain(), values, 0));
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
