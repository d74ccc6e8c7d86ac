package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.metadata.NodeMetadata;
import dev.shardkit.testkit.internal.LinksAndPipes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code group}, {@code attrs}, {@code resize}, {@code rm}, {@code consolidate} and copies that skip nodes. */
@Tag("one-jdk")
class NodeEditsTest {
    @TempDir
    Path dir;

    private String path(String name) {
        return dir.resolve(name).toString();
    }

    @Test
    void group_isCreated_andNotTwice() {
        Cli.good("group", path("g"), "--attributes", "{\"a\": 1}");
        assertEquals("{\"a\":1}", Cli.good("attrs", path("g")).out().replaceAll("\\s", ""));
        Cli.bad(1, "--overwrite", "group", path("g"));
        Cli.good("group", path("g"), "--overwrite");
        assertEquals("{}", Cli.good("attrs", path("g")).out().strip());
        Cli.bad(2, "--attributes: expected a JSON object", "group", path("h"), "--attributes", "[]");
        assertFalse(Files.exists(dir.resolve("h")));
    }

    @Test
    void attrs_areReadAndChanged() {
        String url = Nodes.numbers(dir.resolve("a"));
        assertEquals("\"m\"", Cli.good("attrs", url, "--get", "unit").out().strip());
        Cli.good("attrs", url, "--set", "unit=\"mm\"", "--set", "x=[1,{\"y\":null}]", "--set", "e=2");
        assertEquals(
                "{\"unit\":\"mm\",\"x\":[1,{\"y\":null}],\"e\":2}",
                Cli.good("attrs", url).out().replaceAll("\\s", ""));
        byte[] in = "{\"x\": 3, \"z\": true}".getBytes(StandardCharsets.UTF_8);
        assertEquals(
                0, Cli.run(in, "attrs", url, "--merge", "-", "--remove", "e").status());
        assertEquals(
                "{\"unit\":\"mm\",\"x\":3,\"z\":true}",
                Cli.good("attrs", url).out().replaceAll("\\s", ""));
        Cli.good("attrs", url, "--replace", "{\"only\": 0}");
        assertEquals("{\"only\":0}", Cli.good("attrs", url).out().replaceAll("\\s", ""));
        assertEquals("13", Cli.good("read", url, "--region", "1,3").out().strip(), "the elements are untouched");
    }

    /** The output of one is the input of another, also with the numbers that Python writes into attributes. */
    @Test
    void attrs_haveNanAndInfinities() {
        String url = Nodes.numbers(dir.resolve("a"));
        Cli.good("attrs", url, "--replace", "{\"a\": [NaN, 1]}", "--set", "b=-Infinity", "--set", "c=\"NaN\"");
        byte[] out = Cli.good("attrs", url).out().getBytes(StandardCharsets.UTF_8);
        assertEquals(
                "{\"a\":[NaN,1],\"b\":-Infinity,\"c\":\"NaN\"}",
                new String(out, StandardCharsets.UTF_8).replaceAll("\\s", ""));
        String other = Nodes.numbers(dir.resolve("b"));
        assertEquals(0, Cli.run(out, "attrs", other, "--replace", "-").status());
        assertEquals(Cli.good("attrs", url).out(), Cli.good("attrs", other).out());
        Cli.good("group", dir.resolve("g").toString(), "--attributes", "{\"a\":NaN}");
        assertEquals(
                "NaN",
                Cli.good("attrs", dir.resolve("g").toString(), "--get", "a")
                        .out()
                        .strip());
    }

    @Test
    void attrs_wrongChange_changesNothing() {
        String url = Nodes.numbers(dir.resolve("a"));
        String before = Cli.good("attrs", url).out();
        Cli.bad(1, "there is no attribute \"nope\"", "attrs", url, "--set", "a=1", "--remove", "nope");
        Cli.bad(2, "--set a={mm: not JSON", "attrs", url, "--set", "a={mm");
        Cli.bad(2, "expected NAME=VALUE", "attrs", url, "--set", "a");
        Cli.bad(1, "there is no attribute", "attrs", url, "--get", "nope");
        Cli.bad(2, "exclude each other", "attrs", url, "--get", "unit", "--set", "a=1");
        Cli.bad(2, "--merge: expected a JSON object", "attrs", url, "--merge", "3");
        assertEquals(before, Cli.good("attrs", url).out());
    }

    @Test
    void erase_givesARegionTheFillValue_andDeletesEmptyChunks() {
        String url = dir.resolve("e").toString();
        Cli.good("create", url, "--shape", "4,2", "--data-type", "uint8", "--chunk-shape", "2,2", "--fill-value", "9");
        byte[] values = {1, 2, 3, 4, 5, 6, 7, 8};
        assertEquals(0, Cli.run(values, "write", url, "--from", "-").status());
        Cli.good("erase", url, "--region", "1:4,:");
        assertEquals("1 2 9 9 9 9 9 9", String.join(" ", Cli.good("read", url).lines()));
        assertTrue(Files.exists(dir.resolve("e/c/0/0")));
        assertFalse(Files.exists(dir.resolve("e/c/1/0")));
        Cli.bad(2, "without steps", "erase", url, "--region", "::2,:");
        Cli.bad(2, "--region", "erase", url);
    }

    @Test
    void resize_growsAndShrinks() {
        String url = Nodes.numbers(dir.resolve("a"));
        Cli.good("resize", url, "--shape", "2,4");
        Cli.good("resize", url, "--shape", "3,5");
        assertEquals(
                List.of("[[0, 1, 2, 3, -1],", " [10, 11, 12, 13, -1],", " [-1, -1, -1, -1, -1]]"),
                Cli.good("read", url, "--format", "json").lines());
        Cli.good("resize", url, "--shape", "1,1", "--keep-outside");
        Cli.good("resize", url, "--shape", "2,4", "--keep-outside");
        assertEquals("13", Cli.good("read", url, "--region", "1,3").out().strip());
        Cli.good("resize", url, "--shape", "1,1", "--keep-outside");
        Cli.good("resize", url, "--shape", "2,4");
        assertEquals("-1", Cli.good("read", url, "--region", "1,3").out().strip());
        Cli.bad(2, "expected 2 lengths", "resize", url, "--shape", "3");
    }

    @Test
    void rm_removesAGroupWithChildrenOnlyIfAsked() {
        String url = Nodes.tree(dir.resolve("t"));
        Cli.good("rm", url + "/top");
        assertFalse(Files.exists(dir.resolve("t/top/zarr.json")));
        Cli.bad(1, "the group has 2 children, such as deep", "rm", url);
        Cli.good("rm", url + "/empty");
        Cli.good("rm", url, "--recursive");
        assertFalse(Files.exists(dir.resolve("t/zarr.json")));
        Cli.bad(1, "no Zarr v3 array or group", "rm", url);
    }

    @Test
    void rm_ofAFolderWithOtherFiles_namesThem_andNeedsForce() throws IOException {
        String url = Nodes.tree(dir.resolve("t"));
        for (String name : List.of("notes.txt", "top/c/0/thumb.png", "top/c/0/0.bak", "empty/a.csv")) {
            Files.writeString(dir.resolve("t/" + name), "mine");
        }
        Cli.bad(1, "no array or group: c/0/0.bak, c/0/thumb.png; they would be removed too", "rm", url + "/top");
        Cli.bad(1, "empty/a.csv, notes.txt, top/c/0/0.bak and 1 more", "rm", url, "--recursive");
        assertEquals("mine", Files.readString(dir.resolve("t/top/c/0/thumb.png")));
        Cli.good("rm", url + "/top", "--force");
        assertFalse(Files.exists(dir.resolve("t/top")), "the empty folder is removed");
        Cli.good("rm", url, "--recursive", "--force");
        assertFalse(Files.exists(dir.resolve("t")));
    }

    @Test
    void rm_ofAGroupWithAPipeInPlaceOfADocument_removesBoth() throws IOException, InterruptedException {
        String url = Nodes.tree(dir.resolve("t"));
        Files.createDirectory(dir.resolve("t/below"));
        LinksAndPipes.pipe(dir.resolve("t/below/zarr.json"));
        Cli.good("rm", url, "--recursive");
        assertFalse(Files.exists(dir.resolve("t")));
    }

    /** Such names are chunk keys of another encoding than the array's. */
    @Test
    void rm_ofAnArrayBesideFilesNamedByNumbers_namesThem() throws IOException {
        String url = Nodes.numbers(dir.resolve("a"));
        Files.writeString(dir.resolve("a/2024.11"), "mine");
        Cli.bad(1, "no array or group: 2024.11; they would be removed too", "rm", url);
        assertEquals("mine", Files.readString(dir.resolve("a/2024.11")));
        Files.delete(dir.resolve("a/2024.11"));
        Cli.good("rm", url);
        assertFalse(Files.exists(dir.resolve("a")));
    }

    @Test
    void rm_ofALink_removesTheLinkOnly() throws IOException {
        String target = Nodes.numbers(dir.resolve("a"));
        Cli.good("group", path("g"));
        LinksAndPipes.link(dir.resolve("g/link"), dir.resolve("a"));
        Cli.good("consolidate", path("g"), "--follow-links");
        Cli.good("rm", path("g") + "/link", "--follow-links");
        assertFalse(Files.exists(dir.resolve("g/link"), LinkOption.NOFOLLOW_LINKS));
        assertEquals(48, Cli.good("read", target).lines().size());
        assertEquals(Set.of(), consolidated("g").keySet());
    }

    @Test
    void rm_ofAnArrayThatNeedsAPlugIn_needsRecursive() throws IOException {
        String url = Nodes.numbers(dir.resolve("a"));
        Path document = dir.resolve("a/zarr.json");
        Files.writeString(document, Files.readString(document).replace("\"zstd\"", "\"mine\""));
        Cli.bad(1, "use --recursive", "rm", url);
        Cli.good("rm", url, "--recursive");
        assertFalse(Files.exists(dir.resolve("a")));
    }

    @Test
    void lastNodeOfAnArchive_leavesNoArchive() {
        String array = Nodes.numbers(dir.resolve("a"));
        Cli.good("mv", array, path("a.ozx"));
        assertFalse(Files.exists(dir.resolve("a")), "the empty folder is removed");
        Cli.good("copy", path("a.ozx"), path("b.zip"));
        Cli.good("mv", path("a.ozx"), path("c"));
        assertFalse(Files.exists(dir.resolve("a.ozx")));
        Cli.good("rm", path("b.zip"));
        assertFalse(Files.exists(dir.resolve("b.zip")));
        assertEquals(48, Cli.good("read", path("c")).lines().size());
    }

    @Test
    void consolidate_listsTheTree_untilRemoved() {
        String url = Nodes.tree(dir.resolve("t"));
        assertEquals(
                "consolidated the metadata of 5 nodes",
                Cli.good("consolidate", url).out().strip());
        assertTrue(Cli.good("info", url).out().contains("consolidated         true"));
        Cli.good("consolidate", url, "--remove");
        try (ZarrGroup group = Zarr.openGroup(url, ZarrOptions.defaults())) {
            assertTrue(group.metadata().consolidated().isEmpty());
        }
        Cli.bad(1, "array", "consolidate", url + "/top");
    }

    @Test
    void consolidatedMetadata_ofGroupsAboveTheUrl_followEachChange() {
        String url = Nodes.tree(dir.resolve("t"));
        Cli.good("consolidate", url + "/deep");
        Cli.good("consolidate", url);
        Cli.good("resize", url + "/deep/a/b", "--shape", "7");
        Cli.good("attrs", url + "/deep/a/b", "--set", "n=1");
        Cli.good("rm", url + "/top");
        Cli.good("group", url + "/deep/new");
        Cli.good("copy", url + "/deep/a/b", url + "/deep/new/c");
        for (String name : List.of("t", "t/deep")) {
            Map<String, NodeMetadata> listed = consolidated(name);
            Cli.good("consolidate", path(name));
            assertEquals(consolidated(name), listed, "consolidating changes nothing");
        }
        assertEquals(Set.of("a", "a/b", "new", "new/c"), consolidated("t/deep").keySet());
    }

    @Test
    void missingGroupsAboveANewNode_areMade() {
        String url = path("g");
        String array = Nodes.numbers(dir.resolve("a"));
        Cli.good("group", url);
        Cli.good("consolidate", url);
        Cli.Result made = Cli.run("group", url + "/deep/er/est");
        assertTrue(made.err().contains("made the group " + url + "/deep/er"), made.err());
        for (String[] command : List.of(
                new String[] {"create", url + "/c/x", "--shape", "4", "--data-type", "uint8"},
                new String[] {"copy", array, url + "/d/x"},
                new String[] {"mv", url + "/d/x", url + "/m/x"})) {
            assertEquals(0, Cli.run(command).status());
        }
        assertEquals(
                Set.of("deep", "deep/er", "deep/er/est", "c", "c/x", "d", "m", "m/x"),
                consolidated("g").keySet());
        Cli.good("copy", url, path("h"));
        assertEquals(
                Cli.good("read", array).out(), Cli.good("read", path("h/m/x")).out());
        Cli.good("copy", array, path("no/group/x"));
        assertFalse(Files.exists(dir.resolve("no/group/zarr.json")), "no folder above is a group");
    }

    @Test
    void missingGroups_areMadeByAllWriters_alsoInArchives() throws IOException {
        String array = Nodes.numbers(dir.resolve("a"));
        Path v2 = Files.createDirectory(dir.resolve("v2"));
        Files.writeString(v2.resolve(".zgroup"), "{\"zarr_format\": 2}");
        for (String root : List.of(path("g") + "/", "zip:" + path("g h.zip") + "!")) {
            Cli.good("group", root.substring(0, root.length() - 1));
            for (String[] command : List.of(
                    new String[] {"concat", array, "--axis", "0", "--to", root + "p/x"},
                    new String[] {"convert", v2.toString(), "--to", root + "q/x"},
                    new String[] {"mv", root + "p/x", root + "r/s/x"})) {
                Cli.Result made = Cli.run(command);
                assertEquals(0, made.status(), made.err());
                assertTrue(made.err().contains("made the group"), made.err());
            }
            List<String> tree =
                    Cli.good("ls", root.substring(0, root.length() - 1)).lines();
            assertEquals(
                    List.of("/", "p", "q", "x", "r", "s", "x"),
                    tree.stream().map(line -> line.strip().split(" ")[0]).toList());
        }
    }

    @Test
    void refusedTarget_leavesNoGroups() throws IOException {
        String array = Nodes.numbers(dir.resolve("a"));
        Cli.good("group", path("g"));
        Files.createDirectories(dir.resolve("g/b/x"));
        Files.writeString(dir.resolve("g/b/x/note.txt"), "mine");
        Files.write(dir.resolve("r.bin"), new byte[3]);
        String target = path("g/b/x");
        Cli.bad(1, "note.txt", "copy", array, target);
        Cli.bad(1, "note.txt", "mv", array, target);
        Cli.bad(1, "note.txt", "pyramid", array, target);
        Cli.bad(1, "note.txt", "import", path("r.bin"), target, "--shape", "3", "--data-type", "uint8");
        Cli.bad(2, "expected 4 bytes", "import", path("r.bin"), path("g/c/x"), "--shape", "4", "--data-type", "uint8");
        Cli.bad(2, "expected 2 lengths", "copy", array, path("g/c/x"), "--chunk-shape", "1,1,1");
        assertFalse(Files.exists(dir.resolve("g/b/zarr.json")));
        assertFalse(Files.exists(dir.resolve("g/c")));
    }

    private Map<String, NodeMetadata> consolidated(String name) {
        try (ZarrGroup group = Zarr.openGroup(path(name), ZarrOptions.defaults())) {
            return group.metadata().consolidated().orElseThrow();
        }
    }

    @Test
    void copy_skipsUnsupportedArrays_onlyIfAsked() throws IOException {
        String url = Nodes.tree(dir.resolve("t"));
        Path document = dir.resolve("t/deep/a/b/zarr.json");
        Files.writeString(document, Files.readString(document).replace("vlen-utf8", "vlen-other"));
        Cli.bad(1, "vlen-other", "copy", url, path("u"));
        assertFalse(Files.exists(dir.resolve("u/zarr.json")));
        Cli.bad(
                1,
                "skipped /deep/a/b: /codecs/0: codec \"vlen-other\" is unknown",
                "copy",
                url,
                path("u"),
                "--skip-unsupported");
        assertEquals(
                Cli.good("read", url + "/top").out(),
                Cli.good("read", path("u/top")).out());
        assertEquals(5, Cli.good("ls", path("u")).lines().size(), "all but the array");
        Files.writeString(document, "{");
        Cli.bad(3, "not JSON", "copy", url, path("v"), "--skip-unsupported");
    }
}
