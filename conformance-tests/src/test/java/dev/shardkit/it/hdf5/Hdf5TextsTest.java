package dev.shardkit.it.hdf5;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.hdf5.Hdf5References;
import dev.shardkit.it.UnpackedSamples;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Store;
import dev.shardkit.testing.StampedFiles;
import dev.shardkit.testkit.server.RangeServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Texts of variable length in HDF5 files of h5py ({@code tools/make_hdf5_odd.py}), whose chunks are made when read. */
@Timeout(120)
class Hdf5TextsTest extends UnpackedSamples {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();
    private static final List<String> NAMES = List.of("variable-earliest", "variable-latest");
    private static final List<String> DATASETS = List.of(
            "scalar",
            "contiguous",
            "chunked",
            "grid",
            "deflate",
            "part",
            "fill",
            "ascii",
            "never",
            "large",
            "empty",
            "compact");

    Hdf5TextsTest() {
        super("hdf5-odd.zip");
    }

    private String[] lines(String file, String dataset) throws IOException {
        return Files.readAllLines(root.resolve(file).resolve(dataset + ".txt")).toArray(String[]::new);
    }

    @Test
    void texts_areThoseOfH5py() throws IOException {
        for (String name : NAMES) {
            for (String dataset : DATASETS) {
                try (ZarrArray array = Zarr.openArray("hdf5:" + root.resolve(name + ".h5") + "!" + dataset, OPTIONS)) {
                    String[] expected = lines(name, dataset);
                    assertArrayEquals(expected, array.read().strings(), dataset);
                    assertEquals(0, Verification.of(array).run(finding -> {}).errors(), dataset);
                    if (array.shape().length == 1 && expected.length > 2) {
                        String[] part = array.read(Box.of(new long[] {1}, new long[] {expected.length - 2}))
                                .strings();
                        assertArrayEquals(Arrays.copyOfRange(expected, 1, expected.length - 1), part, dataset);
                    }
                }
            }
        }
    }

    @Test
    void texts_areReadOverHttp_withFewRequests() throws IOException {
        try (RangeServer server = RangeServer.over(root)) {
            String url = "hdf5:" + server.uri().resolve("/variable-latest.h5");
            for (String dataset : DATASETS) {
                try (ZarrArray array = Zarr.openArray(url + "!" + dataset, OPTIONS)) {
                    server.clearLog();
                    assertArrayEquals(
                            lines("variable-latest", dataset), array.read().strings(), dataset);
                    assertTrue(server.log().size() <= 45, () -> dataset + " " + server.log());
                }
            }
        }
    }

    @Test
    void copy_isAnArrayOfStrings() throws IOException {
        Path target = folder.resolve("copy");
        try (ZarrArray array = Zarr.openArray("hdf5:" + root.resolve("variable-latest.h5") + "!chunked", OPTIONS);
                Store to = Zarr.openStore(target.toString(), OPTIONS)) {
            Copy.of(array).to(to, OPTIONS);
        }
        try (ZarrArray copied = Zarr.openArray(target.toString(), OPTIONS)) {
            assertArrayEquals(lines("variable-latest", "chunked"), copied.read().strings());
        }
    }

    /** Documents of references cannot make chunks. */
    @Test
    void references_leaveTextsOut() throws IOException {
        try (Store store = Zarr.openStore(root.toString(), OPTIONS)) {
            Hdf5References references = Hdf5References.of(store, "variable-latest.h5", "chunked", "variable-latest.h5");
            assertTrue(references.leftOut().get(0).contains("variable length"), () -> "" + references.leftOut());
        }
    }

    @Test
    void elementsThatAreTheSameText_areCorrupt() {
        try (ZarrArray array = Zarr.openArray("hdf5:" + root.resolve("variable-bomb.h5") + "!x", OPTIONS)) {
            CorruptDataException e = assertThrows(CorruptDataException.class, array::read);
            assertTrue(e.getMessage().contains("again and again"), e.getMessage());
        }
    }

    /** Files with changed bytes: a declared error, or texts; never another error. */
    @Test
    void damagedFiles_areDeclaredErrors() throws IOException {
        long seed = 23;
        Random random = new Random(seed);
        int refused = 0;
        byte[] good = Files.readAllBytes(root.resolve("variable-latest.h5"));
        Path file = root.resolve("damaged.h5");
        for (int i = 0; i < 60; i++) {
            byte[] bad = i % 4 == 3 ? Arrays.copyOf(good, random.nextInt(good.length)) : good.clone();
            for (int k = 0; k < 2000 && bad.length > 8000; k++) {
                bad[8000 + random.nextInt(bad.length - 8000)] = (byte) random.nextInt();
            }
            StampedFiles.write(file, bad);
            for (String dataset : List.of("contiguous", "deflate", "fill", "compact", "large")) {
                try (ZarrArray array = Zarr.openArray("hdf5:" + file + "!" + dataset, OPTIONS)) {
                    array.read();
                } catch (ZarrException e) {
                    assertFalse(e.getMessage().isBlank());
                    refused++;
                }
            }
        }
        assertTrue(refused > 50, "seed " + seed + ": " + refused);
    }

    /** In a file with an index of B-trees of version 1, the size of a chunk is any number. */
    @Test
    void aChunkLargerThanItsElements_isAnError_andNotRead() throws IOException {
        byte[] file = Files.readAllBytes(root.resolve("variable-earliest.h5"));
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        int key = IntStream.range(0, file.length - 32)
                .filter(at -> bytes.getLong(at) == 480 && bytes.getLong(at + 8) == 0 && bytes.getLong(at + 16) == 0)
                .findFirst()
                .orElseThrow();
        bytes.putInt(key, 1_500_000_000);
        Path damaged = root.resolve("large-chunk.h5");
        Files.write(damaged, file);
        try (FileChannel out = FileChannel.open(damaged, StandardOpenOption.WRITE)) {
            out.write(ByteBuffer.wrap(new byte[1]), 3L << 30); // a sparse file
        }
        ZarrException e =
                assertThrows(CorruptDataException.class, () -> Zarr.openArray("hdf5:" + damaged + "!chunked", OPTIONS));
        assertTrue(e.getMessage().contains("expected at most 480 bytes, found 1500000000"), e.getMessage());
    }
}
