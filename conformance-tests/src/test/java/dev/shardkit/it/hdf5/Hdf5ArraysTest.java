package dev.shardkit.it.hdf5;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.it.Samples;
import dev.shardkit.it.UnpackedSamples;
import dev.shardkit.maintenance.check.Verification;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Store;
import dev.shardkit.testing.StampedFiles;
import dev.shardkit.testkit.internal.Rounds;
import dev.shardkit.testkit.server.RangeServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Files that h5py and netCDF4 wrote ({@code tools/make_hdf5.py}): read, verified, copied, over HTTP, damaged. */
@Timeout(240)
@Tag("one-jdk")
class Hdf5ArraysTest extends UnpackedSamples {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();
    private static final int COUNT = 316;
    private static final int ROUNDS = Rounds.of(12);

    Hdf5ArraysTest() {
        super("hdf5.zip");
    }

    /** Returns the datasets of a file: the paths below the folder of its elements. */
    private List<String> datasets(Path file) throws IOException {
        Path folder = root.resolve(file.getFileName().toString().replaceAll("\\.(h5|nc)$", ""));
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(f -> f.toString().endsWith(".bin"))
                    .map(f -> folder.relativize(f).toString().replace('\\', '/').replaceAll("\\.bin$", ""))
                    .sorted()
                    .toList();
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(root)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private byte[] expected(Path file, String dataset) {
        return expected(file.getFileName().toString().replaceAll("\\.(h5|nc)$", "") + "/" + dataset);
    }

    private static void check(ZarrArray array, byte[] whole, String name) {
        if (array.dataType().name().startsWith("complex")
                || Arrays.stream(array.shape()).anyMatch(n -> n == 0)) {
            assertArrayEquals(whole, Samples.bytes(array.read()), name);
            return;
        }
        Samples.check(array, whole, name);
    }

    @Test
    void everyTypeFilterAndIndex_isRead_inAnyRegion() throws IOException {
        int count = 0;
        for (Path file : files()) {
            try (Store store = Zarr.openStore("hdf5:" + file, OPTIONS)) {
                for (String name : datasets(file)) {
                    try (ZarrArray array = Zarr.openArray(store, name, OPTIONS)) {
                        check(array, expected(file, name), file.getFileName() + "!" + name);
                        assertEquals(
                                0, Verification.of(array).run(finding -> {}).errors(), name);
                        count++;
                    }
                }
            }
        }
        assertEquals(COUNT, count);
    }

    @Test
    void location_namesAGroupOrADataset() throws IOException {
        byte[] whole = expected("scales/data/values");
        for (String prefix :
                List.of("hdf5:" + root, "hdf5:" + root.toUri().toString().replaceAll("/+$", ""))) {
            try (ZarrArray array = Zarr.openArray(prefix + "/scales.h5!data/values")) {
                check(array, whole, prefix);
            }
            try (ZarrGroup group = Zarr.openGroup(prefix + "/scales.h5!data")) {
                assertEquals(
                        List.of("values", "y"), List.copyOf(group.children().keySet()));
            }
        }
        says("hdf5:" + root.resolve("scales.h5") + "!data/none", "no group or dataset \"data/none\"");
        says("hdf5:" + root.resolve("none.h5"), "there is no file none.h5");
        Files.writeString(
                root.resolve("text.h5"), "no file of HDF5 at all, but long enough to hold its superblock; ".repeat(4));
        says("hdf5:" + root.resolve("text.h5"), "expected the signature");
    }

    private static void says(String location, String text) {
        ZarrException e = assertThrows(ZarrException.class, () -> Zarr.open(location, OPTIONS));
        assertTrue(e.getMessage().contains(text), e.getMessage());
    }

    @Test
    void refusedDatasets_sayWhy_andHideNoOther() throws IOException {
        String file = "hdf5:" + root.resolve("filters.h5") + "!refused/";
        for (String[] refused : new String[][] {
            {"zfp", "filter 32013 (zfp)"},
            {"sequences", "sequences of variable length"},
            {"references", "references to objects"},
            {"virtual", "virtual dataset"},
            {"external", "in other files"}
        }) {
            ZarrException e =
                    assertThrows(UnsupportedException.class, () -> Zarr.openArray(file + refused[0], OPTIONS));
            assertTrue(e.getMessage().contains(refused[1]), e.getMessage());
        }
    }

    @Test
    void attributesAndDimensions_areThoseOfTheFile() throws IOException {
        try (ZarrGroup group = Zarr.openGroup("hdf5:" + root.resolve("types-latest.h5"))) {
            String attributes = group.attributes().toString();
            assertEquals(
                    "{\"title\":\"ünï\",\"fixed\":\"bytes\",\"numbers\":[0.0,0.5,1.0],\"one\":7,\"names\":[\"a\",\"bc\"],"
                            + "\"nothing\":null,\"special\":[NaN,-Infinity,1.5],\"flag\":true}",
                    attributes);
        }
        names("scales.h5!data/values", "[Optional[y], Optional[x]]");
        names("scales.h5!labels", "[Optional[phony_dim_0], Optional[width]]");
        names("weather.nc!air", "[Optional[time], Optional[lat], Optional[lon]]");
        names("weather.nc!inner/area", "[Optional[lat], Optional[lon]]");
        names("weather.nc!lat", "[Optional[lat]]");
        try (ZarrArray air = Zarr.openArray("hdf5:" + root.resolve("weather.nc") + "!air")) {
            assertEquals(
                    "{\"_FillValue\":-99,\"scale_factor\":0.5}",
                    air.attributes().toString());
        }
    }

    private void names(String location, String expected) {
        try (ZarrArray array = Zarr.openArray("hdf5:" + root + "/" + location)) {
            assertEquals(
                    expected, array.metadata().dimensionNames().orElseThrow().toString(), location);
        }
    }

    @Test
    void copy_isZarrV3_ofCodecsThatOthersKnow() throws IOException {
        for (String from : List.of(
                "types-latest!chunked/i2",
                "types-latest!index/btree2-all",
                "types-latest!record",
                "types-latest!contiguous/big-f8",
                "filters!lzff8",
                "filters!bitshuffle-zstdu2",
                "filters!scaled/few-i4",
                "filters!masked")) {
            String name = from.substring(from.indexOf('!') + 1);
            Path target = folder.resolve("copy").resolve(name);
            Path file = root.resolve(from.substring(0, from.indexOf('!')) + ".h5");
            try (ZarrArray array = Zarr.openArray("hdf5:" + file + "!" + name);
                    Store to = Zarr.openStore(target.toString(), OPTIONS)) {
                Copy.of(array).to(to, OPTIONS);
            }
            try (ZarrArray copied = Zarr.openArray(target.toString())) {
                check(copied, expected(file, name), name);
                String codecs = copied.metadata().codecs().json().toString();
                assertFalse(codecs.contains("hdf5."), codecs);
            }
        }
    }

    @Test
    void overHttp_neighbouringChunksAreOneRequest() throws IOException {
        try (RangeServer server = RangeServer.over(root)) {
            String url = server.uri().resolve("/user-block.h5").toString();
            try (ZarrArray array = Zarr.openArray("hdf5:" + url + "!a")) {
                server.clearLog();
                check(array, expected("user-block/a"), "a");
                assertTrue(server.log().size() <= 10, () -> "" + server.log());
            }
        }
    }

    /** Structures and chunks with changed bytes: a declared error, or elements; never another error. */
    @Test
    void damagedFiles_areDeclaredErrors() throws IOException {
        long seed = 17;
        Random random = new Random(seed);
        int refused = 0;
        for (String name : List.of(
                "scales.h5", "weather.nc", "user-block.h5", "many-latest.h5", "types-latest.h5", "filters.h5")) {
            byte[] good = Files.readAllBytes(root.resolve(name));
            List<String> datasets = datasets(root.resolve(name));
            Path file = root.resolve("damaged.h5");
            for (int i = 0; i < ROUNDS; i++) {
                byte[] bad = i % 4 == 3 ? Arrays.copyOf(good, random.nextInt(good.length)) : good.clone();
                for (int k = 0; k <= i % 30 && bad.length > 0; k++) {
                    int place = random.nextInt(i % 2 == 0 ? Math.min(bad.length, 3000) : bad.length);
                    bad[place] = (byte) random.nextInt();
                }
                StampedFiles.write(file, bad);
                refused += DamagedFile.refusals("hdf5:" + file, datasets.subList(0, Math.min(8, datasets.size())), 100);
            }
        }
        assertTrue(refused > ROUNDS, "seed " + seed + ": " + refused);
    }
}
