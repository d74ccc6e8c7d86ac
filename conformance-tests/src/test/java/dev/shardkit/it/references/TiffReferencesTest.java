package dev.shardkit.it.references;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.files.TiffReferences;
import dev.shardkit.it.Samples;
import dev.shardkit.it.UnpackedSamples;
import dev.shardkit.metadata.JsonDocuments;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import dev.shardkit.testing.StampedFiles;
import dev.shardkit.testkit.internal.Rounds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** References to TIFF files that tifffile wrote ({@code tools/make_tiff.py}). */
@Timeout(240)
class TiffReferencesTest extends UnpackedSamples {
    private static final int ROUNDS = Rounds.of(12);

    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();

    TiffReferencesTest() {
        super("tiff.zip");
    }

    private TiffReferences references(String file) throws IOException {
        try (Store store = Zarr.openStore(root.toString(), OPTIONS)) {
            TiffReferences found = TiffReferences.of(store, file, file);
            Json.Obj document = Json.object().with("version", Json.of(1)).with("refs", found.references());
            Files.writeString(root.resolve("refs.json"), JsonDocuments.text(document));
            return found;
        }
    }

    private void check(String path, String name) {
        try (ZarrArray array = Zarr.openArray("reference:" + root.resolve("refs.json") + path)) {
            Samples.check(array, expected(name), name);
        }
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(root)) {
            return files.map(f -> f.getFileName().toString())
                    .filter(f -> f.endsWith(".tif"))
                    .map(f -> f.substring(0, f.length() - 4))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void everyLayoutAndCompression_isRead_inAnyRegion() throws IOException {
        int count = 0;
        for (String name : names()) {
            TiffReferences found = references(name + ".tif");
            if (Files.exists(root.resolve(name + ".bin"))) {
                check("", name);
                boolean isCut = name.startsWith("cut-") && !name.endsWith("none");
                assertEquals(List.of(), found.leftOut(), name);
                assertEquals(isCut ? 1 : 0, found.notes().size(), name + found.notes());
                count++;
            }
        }
        assertEquals(38, count);
    }

    @Test
    void pyramids_areGroups() throws IOException {
        for (String name : List.of("pyramid", "overviews")) {
            references(name + ".tif");
            for (int level = 0; level < 3; level++) {
                check("!" + level, name + "-" + level);
            }
        }
    }

    /** xarray opens no array without names, and would take a fill value for the value of missing elements. */
    @Test
    void dimensionsHaveNames_andNoValueIsMissing() throws IOException {
        for (String name : names()) {
            if (!Files.exists(root.resolve(name + ".bin"))) {
                continue;
            }
            references(name + ".tif");
            try (ZarrArray array = Zarr.openArray("reference:" + root.resolve("refs.json"))) {
                List<String> names = array.metadata().dimensionNames().orElseThrow().stream()
                        .map(Optional::orElseThrow)
                        .toList();
                assertTrue(
                        List.of("Y X", "Y X S", "S Y X", "I Y X", "I Y X S", "I S Y X")
                                .contains(String.join(" ", names)),
                        name + names);
                assertEquals(Optional.empty(), array.attributes().get("_FillValue"), name);
            }
        }
        references("pyramid.tif");
        try (ZarrArray level = Zarr.openArray("reference:" + root.resolve("refs.json") + "!1")) {
            List<Optional<String>> names = level.metadata().dimensionNames().orElseThrow();
            assertTrue(names.contains(Optional.of("Y1")), "" + names);
        }
    }

    /** Strips without compression are divided where the last has fewer rows than others. */
    @Test
    void aStripShorterThanItsRows_orOneOfTooManyParts_isAnError() throws IOException {
        Files.write(root.resolve("short.tif"), Arrays.copyOf(strips(6, 4, 12), 1012));
        ZarrException e = assertThrows(CorruptDataException.class, () -> references("short.tif"));
        assertTrue(e.getMessage().contains("at least 16 bytes at byte 1000, found 12"), e.getMessage());
        Files.write(root.resolve("far.tif"), strips(3_000_001, 3_000_000, 12_000_000));
        e = assertThrows(CorruptDataException.class, () -> references("far.tif"));
        assertTrue(e.getMessage().contains("expected a tile or strip within the file's"), e.getMessage());
        byte[] whole = Arrays.copyOf(strips(3_000_001, 3_000_000, 12_000_000), 12_001_000);
        Files.write(root.resolve("many.tif"), whole);
        e = assertThrows(UnsupportedException.class, () -> references("many.tif"));
        assertTrue(e.getMessage().contains("more than 2000000"), e.getMessage());
    }

    /** Returns a file of an image with 4 bytes a row, in two strips. */
    private static byte[] strips(int height, int rows, int size) {
        int[][] tags = {
            {256, 4, 1, 4},
            {257, 4, 1, height},
            {258, 4, 1, 8},
            {262, 4, 1, 1},
            {273, 4, 2, 200},
            {278, 4, 1, rows},
            {279, 4, 2, 208}
        };
        ByteBuffer file = ByteBuffer.allocate(216).order(ByteOrder.LITTLE_ENDIAN);
        file.put(new byte[] {'I', 'I', 42, 0}).putInt(8).putShort((short) tags.length);
        for (int[] tag : tags) {
            file.putShort((short) tag[0])
                    .putShort((short) tag[1])
                    .putInt(tag[2])
                    .putInt(tag[3]);
        }
        file.position(200);
        file.putInt(1000).putInt(1000).putInt(size).putInt(4 * (height - rows));
        return file.array();
    }

    /** Directories and tiles with changed bytes: a declared error, or elements; never another error. */
    @Test
    void damagedFiles_areDeclaredErrors() throws IOException {
        long seed = 19;
        Random random = new Random(seed);
        int refused = 0;
        for (String name : List.of("pyramid", "tiles-lzw-predictor", "big-zlib", "cut-lzw", "planes-none")) {
            byte[] good = Files.readAllBytes(root.resolve(name + ".tif"));
            for (int i = 0; i < ROUNDS; i++) {
                byte[] bad = i % 4 == 3 ? Arrays.copyOf(good, random.nextInt(good.length)) : good.clone();
                for (int k = 0; k <= i % 20 && bad.length > 0; k++) {
                    int place = random.nextInt(i % 2 == 0 ? Math.min(bad.length, 400) : bad.length);
                    bad[place] = (byte) random.nextInt();
                }
                StampedFiles.write(root.resolve("bad.tif"), bad);
                refused += refused();
            }
        }
        assertTrue(refused > ROUNDS, "seed " + seed + ": " + refused);
    }

    private int refused() throws IOException {
        try {
            references("bad.tif");
            try (ZarrArray array = Zarr.openArray("reference:" + root.resolve("refs.json"))) {
                if (Arrays.stream(array.shape()).allMatch(n -> n <= 100)) {
                    array.read();
                }
            }
            return 0;
        } catch (ZarrException e) {
            assertFalse(e.getMessage().isBlank());
            return 1;
        }
    }
}
