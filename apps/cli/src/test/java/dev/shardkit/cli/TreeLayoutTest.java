package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One shape for all arrays of a tree: a volume, a short volume, an image, a coordinate, labels and a scalar. */
@Tag("one-jdk")
class TreeLayoutTest {
    @TempDir
    Path dir;

    @BeforeEach
    void tree() {
        try (ZarrGroup root = Zarr.createGroup(url("t"), Json.object(), IfExists.REFUSE, ZarrOptions.defaults())) {
            fill(root, "big", ArraySpec.of("int32", 20, 30, 30).withChunkShape(4, 10, 10));
            fill(root, "short", ArraySpec.of("int32", 3, 30, 30).withChunkShape(3, 7, 7));
            fill(
                    root,
                    "image",
                    ArraySpec.of("int32", 30, 30).withChunkShape(5, 5).withShardShape(15, 15));
            fill(root, "time", ArraySpec.of("int64", 20).withChunkShape(20));
            fill(root, "crs", ArraySpec.of("int32"));
            root.createArray("names", ArraySpec.of("string", 3).withChunkShape(3), IfExists.REFUSE)
                    .close();
        }
    }

    private static void fill(ZarrGroup root, String name, ArraySpec spec) {
        try (ZarrArray array =
                root.createArray(name, spec.withFillValue(Json.of(1)).withCodecs(Codecs.zstd(1)), IfExists.REFUSE)) {
            int count = (int) Arrays.stream(spec.shape()).reduce(1, (a, b) -> a * b);
            int[] values = IntStream.range(0, count).toArray();
            if (name.equals("time")) {
                array.write(array.domain(), Arrays.stream(values).asLongStream().toArray(), 0);
            } else {
                array.write(array.domain(), values, 0);
            }
        }
    }

    private String url(String name) {
        return dir.resolve(name).toString();
    }

    private void assertLayout(String array, long[] stored, long[] chunk) {
        try (ZarrArray open = Zarr.openArray(url(array))) {
            assertArrayEquals(stored, open.storedChunkShape(), array);
            assertArrayEquals(chunk, open.chunkShape(), array);
        }
    }

    private void assertSameElements(String tree) {
        assertEquals(0, Cli.run("diff", url("t"), url(tree), "--ignore-layout").status());
    }

    @Test
    void copy_withAShardShape_fitsItToEachArray() {
        Cli.Result result = Cli.run("copy", url("t"), url("u"), "--shard-shape", "16,16,16");
        assertEquals(0, result.status(), result.err());
        assertLayout("u/big", new long[] {16, 20, 20}, new long[] {4, 10, 10});
        assertLayout("u/short", new long[] {3, 21, 21}, new long[] {3, 7, 7});
        assertLayout("u/image", new long[] {15, 15}, new long[] {5, 5});
        assertLayout("u/time", new long[] {20}, new long[] {20});
        assertTrue(result.err().contains("/short gets the shard shape [3, 21, 21]"), result.err());
        assertTrue(
                result.err().contains("/names keeps its layout: the shard shape has 3 lengths, the array 1 dimension"),
                result.err());
        assertSameElements("u");
    }

    @Test
    void copy_withAChunkShape_fitsItAndTheShards() {
        Cli.Result result = Cli.run("copy", url("t"), url("u"), "--chunk-shape", "10,40");
        assertEquals(0, result.status(), result.err());
        assertLayout("u/image", new long[] {20, 30}, new long[] {10, 30});
        assertLayout("u/big", new long[] {4, 10, 10}, new long[] {4, 10, 10});
        assertSameElements("u");
    }

    @Test
    void copy_ofATree_takesOptionsOfOneArrayOnly_whereTheyApply() {
        assertEquals(
                0,
                Cli.run("copy", url("t"), url("u"), "--index-location", "start").status());
        assertSameElements("u");
        Cli.good("copy", url("t"), url("v"), "--codecs", "blosc:zstd:3");
        assertTrue(
                Cli.good("info", url("v/time"), "--json").out().replace(" ", "").contains("\"typesize\":8"));
        assertTrue(Cli.good("info", url("v/image"), "--json")
                .out()
                .replace(" ", "")
                .contains("\"typesize\":4"));
        assertSameElements("v");
        Cli.bad(
                2,
                url("t") + "/big]",
                "copy",
                url("t"),
                url("w"),
                "--codecs",
                "[{\"name\":\"transpose\",\"configuration\":{\"order\":[1,0]}}]");
        assertFalse(Files.exists(dir.resolve("w")));
    }

    @Test
    void copy_whereNoArrayHasTheDimensions_isRefused() {
        Cli.bad(2, "no array of", "copy", url("t"), url("u"), "--shard-shape", "2,2,2,2");
        assertFalse(Files.exists(dir.resolve("u")));
    }

    @Test
    void convertToATarget_isACopy() {
        Cli.Result result = Cli.run("convert", url("t"), url("u"), "--shard-shape", "16,16,16");
        assertEquals(0, result.status(), result.err());
        assertLayout("u/big", new long[] {16, 20, 20}, new long[] {4, 10, 10});
        assertSameElements("u");
        Cli.bad(2, "need DST", "convert", url("t"), "--shard-shape", "2,2");
        Cli.bad(2, "without DST", "convert", url("t"), url("v"), "--dry-run");
        Cli.bad(1, "already", "convert", url("t"), url("u"));
    }

    @Test
    void reshard_fitsTheShapeToEachArray() {
        Cli.good("copy", url("t"), url("u"));
        Cli.Result result = Cli.good("reshard", url("u"), "--shard-shape", "16,16,16");
        assertLayout("u/big", new long[] {16, 20, 20}, new long[] {4, 10, 10});
        assertLayout("u/short", new long[] {3, 21, 21}, new long[] {3, 7, 7});
        assertTrue(result.out().contains("unchanged crs: keeps its layout"), result.out());
        Cli.good("shard", url("u"), "--chunks-per-shard", "100");
        assertLayout("u/time", new long[] {20}, new long[] {20});
        assertLayout("u/crs", new long[0], new long[0]);
        assertLayout("u/big", new long[] {20, 30, 30}, new long[] {4, 10, 10});
        Cli.good("aggregate", url("u"), "--chunk-shape", "8,8,64", "--shard-shape", "none");
        assertLayout("u/short", new long[] {3, 8, 30}, new long[] {3, 8, 30});
        assertSameElements("u");
    }

    @Test
    void reshard_whereNoArrayHasTheDimensions_isRefused() {
        Cli.Result result = Cli.run("reshard", url("t"), "--shard-shape", "2,2,2,2");
        assertEquals(2, result.status());
        assertTrue(result.err().contains("no array of"), result.err());
        assertSameElements("t");
    }

    /** All groups above list the array: the refusal names them and the commands that help, which do. */
    @Test
    void belowConsolidatedMetadata_theRefusalSaysWhatToDo() {
        Cli.good("group", url("c"));
        Cli.good("copy", url("t"), url("c/t"));
        Cli.good("consolidate", url("c/t"));
        Cli.good("consolidate", url("c"));
        for (String command : new String[] {"shard", "reshard"}) {
            String refusal =
                    Cli.run(command, url("c/t/image"), "--shard-shape", "10,10").out();
            assertTrue(
                    refusal.contains("the consolidated metadata of the group file:" + url("c/t")
                            + " and of the group file:" + url("c") + " list it: change the layout of the whole group "
                            + "file:" + url("c") + ", or run first shardkit consolidate --remove GROUP and afterwards "
                            + "shardkit consolidate GROUP"),
                    refusal);
        }
        Cli.good("consolidate", "--remove", "file:" + url("c/t"));
        Cli.good("consolidate", "--remove", "file:" + url("c"));
        Cli.good("reshard", url("c/t/image"), "--shard-shape", "10,10");
        Cli.good("copy", url("t/image"), url("c/t/image"), "--overwrite", "--shard-shape", "15,15");
    }
}
