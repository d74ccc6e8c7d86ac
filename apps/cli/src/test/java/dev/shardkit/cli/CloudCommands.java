package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands on the buckets of a real server. */
@Timeout(300)
abstract class CloudCommands {
    private static final int SIDE = 64;

    private final byte[] elements = new byte[2 * SIDE * SIDE];

    @TempDir
    private Path folder;

    /** Returns an option that leads to the server, and its value; skips the test if there is no server. */
    abstract List<String> server();

    /** Returns the URL of a name, in a place of the bucket that only this instance uses. */
    abstract String at(String name);

    @BeforeEach
    final void makeElements() {
        new Random(3).nextBytes(elements);
    }

    final String[] onServer(String... args) {
        List<String> all = new ArrayList<>(server());
        Collections.addAll(all, args);
        return all.toArray(new String[0]);
    }

    final Cli.Result good(String... args) {
        return Cli.good(onServer(args));
    }

    /** Creates an array of two by two shards of 32 by 32 elements. */
    final void create(String url) throws Exception {
        good(
                "create",
                url,
                "--shape",
                "64,64",
                "--data-type",
                "uint16",
                "--chunk-shape",
                "16,16",
                "--shard-shape",
                "32,32");
        Path raw = folder.resolve("elements");
        Files.write(raw, elements);
        good("write", url, "--from", raw.toString());
    }

    private byte[] read(String url) {
        return good("read", url, "--format", "raw").bytes();
    }

    @Test
    void elements_areWrittenInPart_andReadBack() throws Exception {
        create(at("a"));
        assertArrayEquals(elements, read(at("a")));
        byte[] part = new byte[2 * 3 * 5];
        new Random(4).nextBytes(part);
        Path raw = Files.write(folder.resolve("part"), part);
        good("write", at("a"), "--from", raw.toString(), "--region", "31:34,59:64");
        byte[] changed = read(at("a"));
        for (int row = 0; row < 3; row++) {
            System.arraycopy(part, row * 10, elements, 2 * ((31 + row) * SIDE + 59), 10);
        }
        assertArrayEquals(elements, changed);
        assertTrue(good("info", at("a")).out().contains("shards"), "info");
        assertTrue(good("stats", at("a")).out().contains("65"), "stats");
        assertTrue(good("head", at("a")).out().length() > 10, "head");
        assertTrue(good("map", at("a")).out().length() > 10, "map");
        assertTrue(good("chunks", at("a"), "--count").out().startsWith("16"), "chunks");
    }

    @Test
    void copies_goBothWays_andInside() throws Exception {
        create(at("a"));
        String local = folder.resolve("local.zarr").toString();
        good("copy", at("a"), local);
        good("diff", at("a"), local);
        good("copy", local, at("back"));
        good("diff", at("a"), at("back"));
        good("copy", at("a"), at("inside"));
        good("diff", at("a"), at("inside"));
        good("copy", at("a"), at("other"), "--shard-shape", "64,32");
        good("diff", at("a"), at("other"), "--ignore-layout");
        good("concat", at("a"), at("back"), "--axis", "0", "--to", at("both"));
        assertEquals(2 * elements.length, read(at("both")).length);
    }

    @Test
    void layouts_changeInPlace() throws Exception {
        create(at("a"));
        good("reshard", at("a"), "--shard-shape", "64,64");
        assertArrayEquals(elements, read(at("a")));
        good("unshard", at("a"));
        assertArrayEquals(elements, read(at("a")));
        good("shard", at("a"), "--shard-shape", "16,64");
        assertArrayEquals(elements, read(at("a")));
        good("verify", at("a"));
        assertTrue(
                good("info", at("a")).out().contains("[16,64]"),
                good("info", at("a")).out());
    }

    @Test
    void maintenance_findsNothingWrong() throws Exception {
        create(at("a"));
        good("verify", at("a"));
        good("repair", at("a"));
        good("compact", at("a"));
        assertArrayEquals(elements, read(at("a")));
    }

    /** The shard grows from 17 to 19 MiB, so both uploads are in parts of 8 MiB. */
    @Test
    void append_beyondTheSizeOfAPart_keepsWhatWasThere() throws Exception {
        String url = at("long");
        good(
                "create",
                url,
                "--shape",
                "0,1024",
                "--data-type",
                "uint8",
                "--chunk-shape",
                "1024,1024",
                "--shard-shape",
                "32768,1024");
        byte[] all = new byte[19 << 20];
        new Random(9).nextBytes(all);
        int first = 17 << 20;
        Path head = Files.write(folder.resolve("head"), Arrays.copyOf(all, first));
        Path tail = Files.write(folder.resolve("tail"), Arrays.copyOfRange(all, first, all.length));
        good("append", url, "--from", head.toString());
        checkLarge(url, "c/0/0");
        good("append", url, "--from", tail.toString());
        checkLarge(url, "c/0/0");
        assertArrayEquals(all, read(url));
        good("verify", url);
    }

    /** Checks that an object was uploaded in parts, where the server tells. */
    void checkLarge(String url, String key) throws Exception {}

    @Test
    void trees_areMadeListedConsolidatedAndRemoved() throws Exception {
        good("group", at("tree"));
        create(at("tree/a"));
        good("copy", at("tree/a"), at("tree/b"));
        good("attrs", at("tree/a"), "--set", "depth=3");
        good("consolidate", at("tree"));
        Cli.Result refused =
                Cli.run(onServer("aggregate", at("tree/a"), "--chunk-shape", "8,8", "--shard-shape", "none"));
        assertEquals(1, refused.status());
        assertTrue(refused.out().contains("refused the array: the consolidated metadata of the group"), refused.out());
        assertTrue(good("tree", at("tree")).out().contains("a"), "tree");
        assertTrue(good("ls", at("tree")).out().contains("b"), "ls");
        assertTrue(good("du", at("tree")).out().contains("b"), "du");
        good("resize", at("tree/a"), "--shape", "40,64");
        assertEquals(40 * SIDE * 2, read(at("tree/a")).length);
        good("rm", at("tree/b"));
        Cli.bad(1, "there is no Zarr", onServer("info", at("tree/b")));
        good("rm", at("tree"), "--recursive");
        Cli.bad(1, "there is no Zarr", onServer("info", at("tree")));
    }

    @Test
    void pyramids_areMade_besideToo() throws Exception {
        create(at("a"));
        for (String version : List.of("0.4", "0.5")) {
            String image = at("image-" + version);
            good("pyramid", at("a"), image, "--ome-version", version, "--reducer", "nearest");
            good("ome", "validate", image);
            assertArrayEquals(elements, read(image + "/0"));
            assertArrayEquals(
                    new byte[] {elements[4 * SIDE], elements[4 * SIDE + 1]},
                    good("read", image + "/1", "--format", "raw", "--region", "1:2,0:1")
                            .bytes());
            Cli.bad(1, "already holds", onServer("pyramid", at("a"), image));
        }
        good("group", at("group"));
        create(at("group/raw%20data"));
        assertEquals(
                "3 levels, 2 of them made now\n",
                good("pyramid", at("group/raw%20data"), "--axes", "y,x").out());
        good("ome", "validate", at("group"));
        assertArrayEquals(elements, read(at("group/raw%20data")));
    }

    @Test
    void infoOfTheStore_saysThatWritersAreSafe() {
        String facts = good("info", "--store", at("nothing")).out();
        assertTrue(facts.contains("safe, by conditional puts"), facts);
        assertTrue(facts.contains("copy inside"), facts);
        String json = good("info", "--store", at("nothing"), "--json").out();
        assertTrue(json.contains("\"reads\""), json);
    }
}
