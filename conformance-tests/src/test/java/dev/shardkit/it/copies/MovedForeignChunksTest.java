package dev.shardkit.it.copies;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.hdf5.Hdf5References;
import dev.shardkit.it.Samples;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Copies of HDF5 ({@code tools/make_hdf5_moved.py}) and neuroglancer to Zarr v3 take encoded chunks as they are. A
 * chunk whose bytes were damaged is copied all the same: nobody decoded it.
 */
@Timeout(240)
class MovedForeignChunksTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"deflate", "shuffle", "zstd", "plain"})
    void chunksOfHdf5_moveIntoShards(String dataset) throws IOException {
        Path file = folder.resolve("moved.h5");
        try (InputStream in = Samples.class.getResourceAsStream("moved.h5")) {
            Files.copy(in, file);
        }
        long[] range = range(dataset + "/1.2");
        moves("hdf5:" + file + "!" + dataset, file, range[0], range[1]);
    }

    /** Returns where the file has a chunk: its offset and its length. */
    private long[] range(String chunk) throws IOException {
        try (Store store = Zarr.openStore(folder.toString(), OPTIONS)) {
            Json found = Hdf5References.of(store, "moved.h5", "", "moved.h5")
                    .references()
                    .get(chunk)
                    .orElseThrow();
            return ((Json.Arr) found)
                    .items().stream()
                            .skip(1)
                            .mapToLong(n -> Long.parseLong(((Json.Num) n).lexeme()))
                            .toArray();
        }
    }

    /** Copies an array with the given chunk sound and damaged, in shards and without. */
    private void moves(String location, Path file, long offset, long length) throws IOException {
        byte[] whole = Files.readAllBytes(file);
        byte[] chunk = Arrays.copyOfRange(whole, (int) offset, (int) (offset + length));
        byte[] damaged = chunk.clone();
        Arrays.fill(damaged, (byte) 0xa5);
        try (ZarrArray from = Zarr.openArray(location)) {
            byte[] expected = Samples.bytes(from.read());
            long[] shard = from.shape();
            for (boolean sharded : new boolean[] {true, false}) {
                Copy copy = sharded ? Copy.of(from).withShardShape(shard) : Copy.of(from);
                Path target = folder.resolve("sound-" + sharded);
                copyTo(copy, target);
                assertTrue(contains(target, chunk), "sharded: " + sharded);
                try (ZarrArray copied = Zarr.openArray(target.toString())) {
                    assertArrayEquals(expected, Samples.bytes(copied.read()));
                    assertEquals(0, Verification.of(copied).run(finding -> {}).errors());
                }
            }
        }
        System.arraycopy(damaged, 0, whole, (int) offset, damaged.length);
        Files.write(file, whole);
        try (ZarrArray from = Zarr.openArray(location)) {
            for (boolean sharded : new boolean[] {true, false}) {
                Copy copy = sharded ? Copy.of(from).withShardShape(from.shape()) : Copy.of(from);
                Path target = folder.resolve("damaged-" + sharded);
                copyTo(copy, target);
                assertTrue(contains(target, damaged), "sharded: " + sharded);
                assertFalse(contains(target, chunk));
            }
        }
    }

    private static void copyTo(Copy copy, Path target) {
        try (Store store = Zarr.openStore(target.toString(), OPTIONS)) {
            copy.to(store, OPTIONS);
        }
    }

    /** Whether an object below {@code root} has these bytes. */
    private static boolean contains(Path root, byte[] bytes) throws IOException {
        String part = new String(bytes, StandardCharsets.ISO_8859_1);
        try (var files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (Files.readString(file, StandardCharsets.ISO_8859_1).contains(part)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Images and compressed segmentation are decoded: a copy has codecs that other implementations of Zarr know. */
    @ParameterizedTest
    @ValueSource(strings = {"raw", "gzip"})
    void chunksOfNeuroglancer_moveIntoShards(String form) throws IOException {
        Path volume = folder.resolve("volume");
        Files.createDirectories(volume);
        String sharding = !form.equals("gzip")
                ? ""
                : ", \"sharding\": {\"@type\": \"neuroglancer_uint64_sharded_v1\", \"hash\": \"identity\", "
                        + "\"preshift_bits\": 0, \"minishard_bits\": 0, \"shard_bits\": 0, "
                        + "\"minishard_index_encoding\": \"raw\", \"data_encoding\": \"gzip\"}";
        Files.writeString(
                volume.resolve("info"),
                "{\"@type\": \"neuroglancer_multiscale_volume\", \"data_type\": \"uint16\", \"num_channels\": 1, "
                        + "\"scales\": [{\"key\": \"s\", \"size\": [32, 16, 16], \"chunk_sizes\": [[16, 16, 16]], "
                        + "\"encoding\": \"raw\"" + sharding + "}]}");
        String location = "neuroglancer:" + volume + "/s";
        try (ZarrArray array = Zarr.openArray(location)) {
            NdArray values = array.read();
            for (int i = 0; i < values.count(); i++) {
                values.shorts()[i] = (short) (i % 1000 * 7);
            }
            array.write(array.domain(), values);
        }
        Path object = volume.resolve(sharding.isEmpty() ? "s/16-32_0-16_0-16" : "s/0.shard");
        int length = (int) Files.size(object);
        if (sharding.isEmpty()) {
            moves(location, object, 0, length);
        } else { // chunks lie between the shard index and the minishard index of two entries
            byte[] bytes = Files.readAllBytes(object);
            ByteBuffer index = ByteBuffer.wrap(bytes, length - 48, 48).slice().order(ByteOrder.LITTLE_ENDIAN);
            moves(location, object, 16 + index.getLong(16), index.getLong(32));
        }
    }
}
