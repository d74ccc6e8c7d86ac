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
import dev.shardkit.hdf5.Hdf5References;
import dev.shardkit.it.Samples;
import dev.shardkit.it.UnpackedSamples;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Store;
import dev.shardkit.testing.StampedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The filters Blosc2 and nbit, and numbers of less precision ({@code tools/make_hdf5_filters.py}). */
@Timeout(240)
@Tag("one-jdk")
class Hdf5FiltersTest extends UnpackedSamples {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();
    private static final List<String> FILES = List.of("blosc2", "tables", "nbit");
    private static final int COUNT = 121;

    Hdf5FiltersTest() {
        super("hdf5-filters.zip");
    }

    private List<String> datasets(String file) throws IOException {
        Path elements = root.resolve(file);
        try (Stream<Path> files = Files.walk(elements)) {
            return files.filter(f -> f.toString().endsWith(".bin"))
                    .map(f ->
                            elements.relativize(f).toString().replace('\\', '/').replaceAll("\\.bin$", ""))
                    .sorted()
                    .toList();
        }
    }

    private String location(String file) {
        return "hdf5:" + root.resolve(file + ".h5");
    }

    private void check(ZarrArray array, String file, String name) {
        byte[] whole = expected(file + "/" + name);
        if (array.dataType().name().startsWith("complex")) {
            assertArrayEquals(whole, Samples.bytes(array.read()), name);
        } else {
            Samples.check(array, whole, file + "!" + name);
        }
    }

    @Test
    void everyDataset_isRead_inAnyRegion() throws IOException {
        int count = 0;
        for (String file : FILES) {
            try (Store store = Zarr.openStore(location(file), OPTIONS)) {
                for (String name : datasets(file)) {
                    try (ZarrArray array = Zarr.openArray(store, name, OPTIONS)) {
                        check(array, file, name);
                        count++;
                    }
                }
            }
        }
        assertEquals(COUNT, count);
    }

    @Test
    void whatCannotBeRead_saysWhy() {
        for (String[] refused : new String[][] {
            {"record", "a record with a field that is an integer of 10 bits from bit 1 in 2 bytes"},
            {"bias", "a floating-point number of 4 bytes with 8 bits of exponent, 23 of mantissa and a bias of 900"}
        }) {
            ZarrException e = assertThrows(
                    UnsupportedException.class, () -> Zarr.openArray(location("nbit") + "!refused/" + refused[0]));
            assertTrue(e.getMessage().contains(refused[1]), e.getMessage());
        }
    }

    @Test
    void notANumber_isRead() {
        for (String order : List.of("", "big-")) {
            try (ZarrArray array = Zarr.openArray(location("nbit") + "!special/" + order + "nan")) {
                float[] found = array.read().floats();
                assertArrayEquals(new float[] {Float.NaN, 1.5f, Float.NaN}, found);
            }
        }
    }

    @Test
    void attributesOfLessPrecision_areNumbers() throws IOException {
        try (ZarrGroup group = Zarr.openGroup(location("nbit"))) {
            assertEquals("{\"levels\":[-512,0,511]}", group.attributes().toString());
        }
    }

    @Test
    void copy_isZarrV3_ofCodecsThatOthersKnow() throws IOException {
        for (String[] from : new String[][] {
            {"blosc2", "of/zstd-1", "\"zstd\""},
            {"blosc2", "checksum", "\"zstd\""},
            {"nbit", "big-i2/15-1", "\"zstd\""},
            {"nbit", "with-gzip", "\"gzip\""},
            {"nbit", "plain/fill", "\"bytes\""},
            {"nbit", "f8/small", "\"zstd\""}
        }) {
            Path target = folder.resolve("copy").resolve(from[0]).resolve(from[1]);
            try (ZarrArray array = Zarr.openArray(location(from[0]) + "!" + from[1]);
                    Store to = Zarr.openStore(target.toString(), OPTIONS)) {
                Copy.of(array).to(to, OPTIONS);
            }
            try (ZarrArray copied = Zarr.openArray(target.toString())) {
                check(copied, from[0], from[1]);
                String codecs = copied.metadata().codecs().json().toString();
                assertFalse(codecs.contains("hdf5.") || codecs.contains("blosc2."), codecs);
                assertTrue(codecs.contains(from[2]), codecs);
                assertEquals(codecs.indexOf("zstd"), codecs.lastIndexOf("zstd"), codecs);
            }
        }
    }

    @Test
    void references_leaveOut_whatNumcodecsLacks() throws IOException {
        try (Store store = Zarr.openStore(root.toString(), OPTIONS)) {
            Hdf5References references = Hdf5References.of(store, "nbit.h5", "plain", "nbit.h5");
            assertTrue(references.leftOut().get(0).contains("numbers whose precision is less"), references.toString());
            assertEquals(4, references.leftOut().size());
            List<String> leftOut =
                    Hdf5References.of(store, "blosc2.h5", "zeros", "blosc2.h5").leftOut();
            assertTrue(leftOut.get(0).contains("the filter 32026"), leftOut.toString());
        }
    }

    /** Structures and chunks with changed bytes: a declared error, or elements; never another error. */
    @Test
    void damagedFiles_areDeclaredErrors() throws IOException {
        long seed = 23;
        Random random = new Random(seed);
        int refused = 0;
        for (String name : FILES) {
            byte[] good = Files.readAllBytes(root.resolve(name + ".h5"));
            List<String> datasets = datasets(name);
            for (int i = 0; i < 40; i++) {
                byte[] bad = good.clone();
                for (int k = 0; k < 1 + i * 20; k++) {
                    bad[4000 + random.nextInt(bad.length - 4000)] = (byte) random.nextInt();
                }
                StampedFiles.write(root.resolve("damaged.h5"), bad);
                int first = i % 5;
                List<String> some = IntStream.range(0, datasets.size())
                        .filter(n -> n % 5 == first)
                        .mapToObj(datasets::get)
                        .toList();
                refused += DamagedFile.refusals(location("damaged"), some, 1000);
            }
        }
        assertTrue(refused > 100, "seed " + seed + ": " + refused);
    }
}
