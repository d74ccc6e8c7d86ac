package org.example.remotezip;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.spi.array.Box;
import dev.shardkit.store.Store;
import dev.shardkit.store.http.HttpStore;
import dev.shardkit.testkit.server.RangeServer;
import dev.shardkit.testkit.store.RemoteReadsContract;
import dev.shardkit.testkit.store.StoreContract;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of remote reads, and an array that is read out of an archive on a server. */
class RemoteZipStoreTest {
    private final RangeServer server = RangeServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    @Nested
    class Reading extends RemoteReadsContract {
        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws Exception {
            server.put("store.zip", archive(objects));
            return new RemoteZipStore().open(URI.create("remotezip:" + server.uri() + "/store.zip"), HttpStore::at);
        }
    }

    @Nested
    class Any extends StoreContract {
        @Override
        protected Store storeOf(Map<String, byte[]> objects) throws Exception {
            server.put("any.zip", archive(objects));
            return reopened().orElseThrow();
        }

        @Override
        protected Optional<Store> reopened() {
            return Optional.of(
                    new RemoteZipStore().open(URI.create("remotezip:" + server.uri() + "/any.zip"), HttpStore::at));
        }
    }

    @Test
    void shardedArray_onAServer_isReadByRanges(@TempDir Path folder) throws IOException {
        int[] values = IntStream.range(0, 256 * 256).toArray();
        ArraySpec spec = ArraySpec.of("int32", 256, 256).withChunkShape(8, 8).withShardShape(256, 256);
        try (ZarrArray array = Zarr.createArray(folder.toString(), spec)) {
            array.write(array.domain(), values, 0);
        }
        byte[] archive = archive(files(folder));
        server.put("array.zip", archive);
        try (ZarrArray array = Zarr.openArray("remotezip:" + server.uri() + "/array.zip")) {
            Box one = Box.of(new long[] {9, 9}, new long[] {1, 1});
            assertEquals(9 * 256 + 9, array.read(one).ints()[0]);
            long came = server.log().stream().mapToLong(RangeServer.Hit::bytes).sum();
            assertTrue(came < archive.length / 2, "read " + came + " of " + archive.length + " bytes");
            assertArrayEquals(values, array.read().ints());
        }
    }

    private static Map<String, byte[]> files(Path folder) throws IOException {
        Map<String, byte[]> found = new HashMap<>();
        List<Path> files;
        try (Stream<Path> walk = Files.walk(folder)) {
            files = walk.filter(Files::isRegularFile).toList();
        }
        for (Path file : files) {
            found.put(folder.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
        }
        return found;
    }

    /** An archive of stored entries. */
    static byte[] archive(Map<String, byte[]> objects) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, byte[]> object : objects.entrySet()) {
                CRC32 sum = new CRC32();
                sum.update(object.getValue());
                ZipEntry entry = new ZipEntry(object.getKey());
                entry.setMethod(ZipEntry.STORED);
                entry.setSize(object.getValue().length);
                entry.setCrc(sum.getValue());
                zip.putNextEntry(entry);
                zip.write(object.getValue());
                zip.closeEntry();
            }
        }
        return bytes.toByteArray();
    }
}
