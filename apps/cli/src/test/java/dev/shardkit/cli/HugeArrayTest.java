package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that look at an array of 2^62 x 2^62 elements: right numbers, or an error that says what to do. */
class HugeArrayTest {
    private static final String SIDE = "4611686018427387904";
    private static final String ELEMENTS = "21267647932558653966460912964485513216";

    @TempDir
    Path folder;

    private String array;

    @BeforeEach
    void create() {
        array = folder.resolve("huge.zarr").toString();
        Cli.good("create", array, "--shape", SIDE + "," + SIDE, "--data-type", "uint16", "--chunk-shape", "1024,1024");
    }

    @Test
    void elements_areReadByRegion() {
        Cli.bad(1, ELEMENTS + " elements; at most 2^53 are read: choose a smaller region", "stats", array);
        assertTrue(Cli.good("stats", array, "--region", "-8:,-8:").out().contains("64"));
        Cli.bad(3, ELEMENTS + " elements; at most 2^53 are read: compare regions", "diff", array, array);
        for (String file : List.of("a.npy", "a.csv", "a.tif", "a.npz")) {
            String target = folder.resolve(file).toString();
            Cli.bad(1, ELEMENTS + " elements; at most 2^53 are written", "export", array, "-o", target);
        }
        String png = folder.resolve("a.png").toString();
        Cli.bad(1, ELEMENTS + " elements; a picture reads at most 2^63-1", "preview", array, "-o", png);
        Cli.good("preview", array, "-o", png, "--region", "-64:,-64:");
        Cli.bad(2, "20282409603651670423947251286016 places", "map", array);
    }

    @Test
    void sizes_areExact() {
        assertTrue(Cli.good("du", array).out().contains("42535295865117307932921825928971026432"));
        assertTrue(Cli.good("tree", array).out().contains("0 bytes stored of 3.7e+19 EiB"));
        assertTrue(Cli.good("info", array).out().contains(ELEMENTS));
        assertTrue(Cli.good("head", array).out().contains("region 0:8,0:8"));
        Cli.good("advise", array);
        assertEquals("0", Cli.good("chunks", array, "--count").out().strip());
    }

    @Test
    void heatMap_saysHowManyChunksThereAre() {
        String page = folder.resolve("m.html").toString();
        Cli.bad(1, "20282409603651670423947251286016 chunks; a heat map", "map", array, "--html", page);
    }
}
