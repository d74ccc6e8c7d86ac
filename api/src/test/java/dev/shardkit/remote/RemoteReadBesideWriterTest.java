package dev.shardkit.remote;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.StoreListener;
import dev.shardkit.testkit.server.RangeServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A shard on a server is replaced while 16 are read: it is requested again, and no other one. */
@Timeout(300)
class RemoteReadBesideWriterTest {
    private static final int SHARD = 16;
    private static final int LENGTH = 4 * SHARD;
    /** The key of the object that changes. */
    private static final String FIRST = "c/0/0";
    /** The columns that are read: all but the first and the last one. */
    private static final Box REGION = Box.of(new long[] {0, 1}, new long[] {LENGTH, LENGTH - 2});

    @TempDir
    Path dir;

    private final RangeServer server = RangeServer.start();
    private final AtomicInteger replacements = new AtomicInteger();

    @AfterEach
    void stop() {
        server.close();
    }

    private byte[] make(byte value) throws IOException {
        Path at = dir.resolve("v" + value);
        try (ZarrArray made = Zarr.createArray(
                at.toString(),
                ArraySpec.of("uint8", LENGTH, LENGTH)
                        .withChunkShape(4, 4)
                        .withShardShape(SHARD, SHARD)
                        .withCodecs(Codecs.bytesLittleEndian(), Codecs.crc32c()))) {
            byte[] elements = new byte[LENGTH * LENGTH];
            Arrays.fill(elements, value);
            made.write(made.domain(), NdArray.of(made.dataType(), made.shape(), elements));
        }
        if (value == 1) {
            try (Stream<Path> files = Files.walk(at)) {
                files.filter(Files::isRegularFile)
                        .filter(file -> !file.toString().contains("__"))
                        .forEach(file ->
                                server.put(at.relativize(file).toString().replace('\\', '/'), read(file)));
            }
        }
        return read(at.resolve(FIRST));
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Opens the array with a listener that replaces the first shard after each of so many of its indexes. */
    private ZarrArray open(int most) throws IOException {
        make((byte) 1);
        List<byte[]> versions = List.of(make((byte) 2), make((byte) 3), make((byte) 4));
        StoreListener listener = new StoreListener() {
            @Override
            public void onResponse(String key, ByteRange range, long bytes, Duration took) {
                if (key.equals(FIRST) && bytes > 0 && replacements.get() < most) {
                    server.put(FIRST, versions.get(replacements.getAndIncrement()));
                }
            }
        };
        ZarrArray array =
                Zarr.openArray(server.uri().toString(), ZarrOptions.defaults().withListener(listener));
        server.clearLog();
        return array;
    }

    private void check(NdArray read, int value) {
        byte[] expected = new byte[LENGTH * (LENGTH - 2)];
        Arrays.fill(expected, (byte) 1);
        for (int i = 0; i < SHARD; i++) {
            Arrays.fill(expected, i * (LENGTH - 2), i * (LENGTH - 2) + SHARD - 1, (byte) value);
        }
        assertArrayEquals(expected, (byte[]) read.array());
        Map<String, Long> requests =
                server.log().stream().collect(Collectors.groupingBy(hit -> hit.key(), Collectors.counting()));
        assertEquals(LENGTH * LENGTH / SHARD / SHARD, requests.keySet().size(), requests.toString());
        assertTrue(requests.remove(FIRST) > 2, requests.toString());
        requests.forEach((key, times) -> assertEquals(isWhole(key) ? 1 : 2, times, key));
    }

    /** Whether the region covers the whole shard, whose index is then part of the one request. */
    private static boolean isWhole(String key) {
        return !key.endsWith("/0") && !key.endsWith("/3");
    }

    @Test
    void replacedShard_aloneIsRequestedAgain() throws Exception {
        try (ZarrArray array = open(1)) {
            check(array.read(REGION), 2);
        }
    }

    @Test
    void shardThatIsReplacedOften_aloneIsRequestedAgain_async() throws Exception {
        try (ZarrArray array = open(3)) {
            check(array.readAsync(REGION).get(), 4);
        }
    }
}
