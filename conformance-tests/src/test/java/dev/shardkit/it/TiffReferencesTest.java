package dev.shardkit.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.files.TiffReferences;
import dev.shardkit.metadata.JsonDocuments;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** References to TIFF files that tifffile wrote ({@code tools/make_tiff.py}). */
@Timeout(240)
class TiffReferencesTest extends UnpackedSamples {
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

    /** Directories and tiles with changed bytes: a declared error, or elements; never another error. */
    @Test
    void damagedFiles_areDeclaredErrors() throws IOException {
        long seed = 19;
        Random random = new Random(seed);
        int refused = 0;
        for (String name : List.of("pyramid", "tiles-lzw-predictor", "big-zlib", "cut-lzw", "planes-none")) {
            byte[] good = Files.readAllBytes(root.resolve(name + ".tif"));
            for (int i = 0; i < 60; i++) {
                byte[] bad = i % 4 == 3 ? Arrays.copyOf(good, random.nextInt(good.length)) : good.clone();
                for (int k = 0; k <= i % 20 && bad.length > 0; k++) {
                    int place = random.nextInt(i % 2 == 0 ? Math.min(bad.length, 400) : bad.length);
                    bad[place] = (byte) random.nextInt();
                }
                Files.write(root.resolve("bad.tif"), bad);
                refused += refused();
            }
        }
        assertTrue(refused > 100, "seed " + seed + ": " + refused);
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
