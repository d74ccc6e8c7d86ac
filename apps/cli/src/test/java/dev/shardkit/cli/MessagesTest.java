package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.command.ome.PyramidCommand;
import dev.shardkit.spi.json.Json;
import dev.shardkit.testkit.internal.LinksAndPipes;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the command says about wrong places and values. */
class MessagesTest {
    @TempDir
    Path dir;

    private String path(String name) {
        return dir.resolve(name).toString();
    }

    @Test
    void pathBelowAnArchive_isToldAsAMemberOfIt() throws IOException {
        Cli.good("group", path("U.ozx"));
        String member = path("U.ozx") + "!a/b";
        Cli.bad(1, "U.ozx is a ZIP archive; a path in it is given as " + member, "info", path("U.ozx/a/b"));
        Cli.bad(1, "a path in a ZIP archive is given as zip:" + member, "group", path("U.ozx/a/b"));
        Cli.bad(1, "this place does not exist", "info", "zip:" + path("missing.ozx") + "!a");
        Files.writeString(dir.resolve("f"), "x");
        Cli.bad(1, "f is a file, which has nothing below it", "info", path("f/a"));
        String name = File.separatorChar == '\\' ? "b;c#d" : "b|c#d";
        Files.writeString(dir.resolve(name), "x");
        String odd = dir.resolve(name + "/a").toUri().toString();
        Cli.bad(1, name + " is a file, which has nothing below it", "info", odd);
        Cli.bad(1, "f is a file, not a folder", "group", path("f/a"));
        Cli.bad(1, "f is a file, not a folder", "group", path("f"));
    }

    @Test
    void lengthsThatDoNotFit_nameTheirOption() {
        String array = Nodes.numbers(dir.resolve("a"));
        Cli.good("create", path("plane"), "--shape", "8,8", "--data-type", "uint8");
        String zero = ": expected lengths of at least 1, found [0, 4]";
        String rank = ": expected 2 lengths, one for each dimension of shape [8, 8], found [4]";
        for (String option : new String[] {"--chunk-shape", "--shard-shape"}) {
            Cli.bad(2, option + zero, "create", path("b"), "--shape", "8,8", "--data-type", "uint8", option, "0,4");
            Cli.bad(2, option + rank, "create", path("b"), "--shape", "8,8", "--data-type", "uint8", option, "4");
            Cli.bad(2, option + zero, "copy", path("plane"), path("b"), option, "0,4");
            Cli.bad(2, option + rank, "copy", path("plane"), path("b"), option, "4");
        }
        String multiple = "--shard-shape: expected multiples of --chunk-shape [2, 4], found [4, 3]; "
                + "the nearest legal value in dimension 1 is 4";
        Cli.bad(2, multiple, "copy", path("plane"), path("b"), "--chunk-shape", "2,4", "--shard-shape", "4,3");
        Cli.bad(
                2,
                "--codecs, codec 0 (counted from 0): codec \"no\" is unknown",
                "create",
                path("b"),
                "--like",
                array,
                "--codecs",
                "no");
        Cli.bad(2, "--fill-value: expected", "create", path("b"), "--like", array, "--fill-value", "x");
        assertFalse(Files.exists(dir.resolve("b")));
    }

    @Test
    void shardsWithoutAChunkShape_haveSeveralInnerChunks() {
        Cli.good("create", path("s"), "--shape", "999,999", "--data-type", "uint8", "--shard-shape", "486,500");
        assertTrue(Cli.good("info", path("s")).lines().contains("chunk shape          [243,250]"));
        Cli.good("create", path("t"), "--shape", "9", "--data-type", "uint8", "--shard-shape", "9");
        assertTrue(Cli.good("info", path("t")).lines().contains("chunk shape          [9]"));
        Cli.good("create", path("u"), "--shape", "99,99,99", "--data-type", "uint16", "--shard-shape", "256,256,256");
        assertTrue(Cli.good("info", path("u")).lines().contains("chunk shape          [64,64,128]"));
    }

    @Test
    void danglingLink_isNoTarget_andStays() throws IOException {
        String array = Nodes.numbers(dir.resolve("a"));
        Path link = LinksAndPipes.link(dir.resolve("link"), Path.of("nowhere"));
        Files.write(dir.resolve("r.bin"), new byte[3]);
        String says = "the symbolic link " + link + " leads to a place that does not exist";
        Cli.bad(1, says, "info", link.toString());
        for (String[] command : new String[][] {
            {"create", link.toString(), "--shape", "4", "--data-type", "uint8"},
            {"group", link + "/below"},
            {"copy", array, link.toString()},
            {"mv", array, link.toString()},
            {"concat", array, "--axis", "0", "--to", link.toString()},
            {"import", path("r.bin"), link.toString(), "--shape", "3", "--data-type", "uint8"}
        }) {
            Cli.bad(1, says, command);
        }
        assertTrue(Files.isSymbolicLink(link));
        assertFalse(Files.exists(dir.resolve("nowhere"), LinkOption.NOFOLLOW_LINKS));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ls", "tree", "du"})
    void linkOutOfTheTree_namesTheSwitch(String command) throws IOException {
        Nodes.numbers(dir.resolve("a"));
        Cli.good("group", path("t"));
        LinksAndPipes.link(dir.resolve("t/l"), Path.of("../a"));
        String out = Cli.run(command, path("t")).out();
        assertTrue(out.contains("to follow it, use --follow-links") && !out.contains("ZarrOptions"), out);
    }

    @Test
    void targetThatIsAGroup_isExplained() {
        String array = Nodes.numbers(dir.resolve("a"));
        Cli.good("group", path("T"));
        Cli.good("group", path("T.zip"));
        String into = "to put the node into it, give the target ";
        Cli.bad(1, into + path("T") + "/a", "copy", array, path("T") + "/");
        Cli.bad(1, into + path("T") + "/a", "mv", array, path("T"));
        Cli.bad(1, into + "zip:" + path("T.zip") + "!a", "copy", array, path("T.zip"));
        Cli.Result other = Cli.run("copy", path("T"), array);
        assertFalse(other.err().contains("The target is a group"), other.err());
    }

    @Test
    void wrongValuesOfCreate_sayWhatIsAllowed() {
        String[] create = {"create", path("c"), "--shape", "4", "--data-type", "uint8", "", ""};
        for (List<String> option : List.of(
                List.of("--codecs", "", "none for no compression, or names such as zstd:3,crc32c, found nothing"),
                List.of("--codecs", "transpose,zstd", "codec transpose needs parameters, which the short form"),
                List.of("--fill-value", "abc", "expected an integer from 0 to 255"))) {
            create[6] = option.get(0);
            create[7] = option.get(1);
            Cli.bad(2, option.get(2), create);
        }
        Cli.good("create", path("s"), "--shape", "1", "--data-type", "string", "--fill-value", "abc");
        assertEquals("\"abc\"", Cli.good("read", path("s")).out().strip());
        String array = Nodes.numbers(dir.resolve("a"));
        Cli.bad(1, dir + ": is a folder, expected a file", "write", array, "--from", dir.toString());
        Cli.bad(1, dir + ": is a folder, expected a file", "append", array, "--from", dir.toString());
    }

    @Test
    void head_tellsTheRegionOfTheArray() {
        Cli.good("create", path("a"), "--shape", "4,6", "--data-type", "uint8");
        assertEquals(
                "region 1:3,0:6",
                Cli.good("head", path("a"), "--region", "1:3,:").lines().get(1));
        assertEquals(
                "region 0:3:2,5:6",
                Cli.good("head", path("a"), "--region", "::2,-1").lines().get(1));
    }

    @Test
    void rectilinearChunks_areShownWithTheirLengths() {
        String grid = "{\"name\":\"rectilinear\",\"configuration\":{\"kind\":\"inline\","
                + "\"chunk_shapes\":[[10,30,60],[[20,3]],[1,2,3,4,5,6,7,8,9]]}}";
        Cli.good("create", path("r"), "--shape", "100,60,45", "--data-type", "uint8", "--chunk-grid", grid);
        String shapes = "[(10, 30, 60), (20 x 3), (1, 2, 3, 4, 5, ..., 9)]";
        assertTrue(Cli.good("info", path("r")).lines().contains("chunk shape          " + shapes));
        assertTrue(Cli.good("ls", path("r")).out().contains("chunks " + shapes));
        assertEquals(
                "[[10,30,60],[[20,3]],[1,2,3,4,5,6,7,8,9]]",
                Cli.good("info", path("r"), "--json")
                        .object()
                        .members()
                        .get("chunk_shape")
                        .toString());
    }

    @Test
    void images_haveTheNameOfTheirFolder() {
        assertEquals("cells", PyramidCommand.defaultName("data/cells.ome.zarr/"));
        assertEquals("cells", PyramidCommand.defaultName("s3://bucket/cells.zarr?x=y"));
        assertEquals("a.b", PyramidCommand.defaultName("zip:x.zip!labels/a.b"));
        assertEquals("cells", PyramidCommand.defaultName("cells.ozx"));
        assertEquals("", PyramidCommand.defaultName("s3://"));
        Cli.good("create", path("a"), "--shape", "64,64", "--data-type", "uint8");
        Cli.good("pyramid", path("a"), path("p.ome.zarr"), "--axes", "y,x", "--levels", "1");
        assertTrue(Cli.good("ome", "info", path("p.ome.zarr")).lines().contains("name: p"));
    }

    @Test
    void validateOfAMissingPlace_doesNotFinish() throws IOException {
        Cli.bad(3, "there is no Zarr v3 array or group", "ome", "validate", path("missing"));
        Files.createDirectory(dir.resolve("broken"));
        Files.writeString(dir.resolve("broken/zarr.json"), "{");
        assertEquals(1, Cli.run("ome", "validate", path("broken")).status(), "damage is a finding");
    }

    @Test
    void endpoint_thatIsNoUrl_isExplained() {
        for (String scheme : List.of("s3", "gs", "az")) {
            String[] call = {
                "info", scheme + "://bucket/a", "--" + scheme + "-anonymous", "--" + scheme + "-endpoint", ""
            };
            for (String[] pair : new String[][] {
                {"localhost:9000", "the scheme is missing; give http://localhost:9000 or https://localhost:9000"},
                {"localhost", "the scheme is missing; give http://localhost or https://localhost"},
                {"http:/localhost:9000", "two slashes and a host must follow http:"},
                {"ftp://localhost", "the scheme must be http or https"},
                {"http://my_host:9000", "a host name has letters, digits, hyphens and dots only"},
                {"http://", "expected a URL such as https://host:port"},
                {"https://user:secret@host", "not shown: they may be secret"}
            }) {
                call[4] = pair[0];
                assertFalse(Cli.bad(2, pair[1], call).err().contains("secret@"));
            }
        }
    }

    @Test
    void location_withoutABucketOrHost_isExplained() {
        Cli.bad(2, "found no two slashes after s3:", "info", "s3:/bucket/a");
        Cli.bad(2, "found no name after the slashes", "info", "s3:///a");
        Cli.bad(2, "expected a path or a name after gs://, found none", "info", "gs://");
        Cli.bad(2, "found no two slashes after http:", "info", "http:/host/a");
        Cli.bad(2, "found no host after https://", "info", "https:///a");
    }

    @Test
    void netCdf3_isNamedWithTheCommandThatConvertsIt() throws IOException {
        for (int version : new int[] {1, 2, 5}) {
            Path file = dir.resolve("old" + version + ".nc");
            Files.write(file, new byte[] {'C', 'D', 'F', (byte) version, 0, 0, 0, 0, 0, 0, 0, 0});
            for (String[] call : new String[][] {
                {"info", file.toString()},
                {"copy", file.toString(), dir.resolve("copied").toString()},
                {"info", "hdf5:" + file},
                {"references", file.toString(), "-o", dir.resolve("r.json").toString()}
            }) {
                Cli.bad(1, "this is a NetCDF 3 file (classic format), which shardkit does not read; convert", call);
            }
        }
    }

    /** Messages print the location of a node, which a user gives to the next command. */
    @Test
    void locationsOfNodesInAnArchive_open() {
        String tree = dir.resolve("tree.zarr").toString();
        Zarr.createGroup(tree, Json.object(), IfExists.REFUSE, ZarrOptions.defaults())
                .createArray("below/a", ArraySpec.of("int8", 2), IfExists.REFUSE);
        String archive = dir.resolve("tree.zip").toString();
        Cli.run("copy", tree, archive);
        try (ZarrGroup group = Zarr.openGroup(archive)) {
            String location = group.array("below/a").location();
            assertTrue(location.endsWith("tree.zip!below/a"), location);
            Cli.good("info", location);
            Cli.good("info", group.group("below").location());
        }
    }
}
