package dev.shardkit.cli.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.cli.Cli;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConcatCommandTest {
    @TempDir
    Path dir;

    private String array(String name, int length, int chunk) {
        String url = dir.resolve(name).toString();
        try (ZarrArray array = Zarr.createArray(
                url,
                ArraySpec.of("int16", length, 2)
                        .withChunkShape(chunk, 2)
                        .withCodecs(Codecs.bytesLittleEndian())
                        .withDimensionNames("t", "x"))) {
            short[] values = new short[2 * length];
            Arrays.fill(values, (short) chunk);
            array.write(array.domain(), values, 0);
        }
        return url;
    }

    private short[] read(String name) {
        try (ZarrArray array = Zarr.openArray(dir.resolve(name).toString())) {
            return array.read().shorts();
        }
    }

    /** As NetCDF files of several variables: the commands of the message run as they are printed. */
    @Test
    void groups_areRefusedWithTheCommandsThatJoinTheirArrays() {
        for (String group : List.of("f1", "f2")) {
            Cli.good("group", dir.resolve(group).toString());
            array(group + "/v", 4, 2);
            array(group + "/w", 2, 2);
            Zarr.createArray(
                            dir.resolve(group + "/mask").toString(),
                            ArraySpec.of("int8", 2).withDimensionNames("x"))
                    .close();
        }
        String to = dir.resolve("all").toString();
        String[] words = {
            "concat", dir.resolve("f1").toString(), dir.resolve("f2").toString(), "--axis", "t"
        };
        Cli.Result told =
                Cli.run(Stream.concat(Stream.of(words), Stream.of("--to", to)).toArray(String[]::new));
        assertEquals(2, told.status());
        String commands = told.err().replaceFirst("(?s).*one by one: (.*)\\R", "$1");
        assertEquals(4, commands.split(" && ").length, told.err());
        for (String command : commands.split(" && ")) {
            Cli.good(command.replace("shardkit ", "").replace("'", "").split(" "));
        }
        assertEquals(16, read("all/v").length);
        assertEquals(8, read("all/w").length);
        assertTrue(Files.exists(dir.resolve("all/mask/zarr.json")));
        Cli.Result virtual = Cli.run(Stream.concat(Stream.of(words), Stream.of("--virtual", "-o", "x.json"))
                .toArray(String[]::new));
        assertTrue(virtual.err().contains("--axis t --virtual -o v.json && shardkit concat"), virtual.err());
        assertFalse(virtual.err().contains("mask"), virtual.err());
    }

    @Test
    void copies_andMoves() {
        String a = array("a", 4, 2);
        String b = array("b", 6, 3);
        assertEquals(
                "4 objects copied; 40 bytes\n",
                Cli.good(
                                "concat",
                                a,
                                b,
                                "--axis",
                                "0",
                                "--to",
                                dir.resolve("copied").toString())
                        .out());
        short[] all = {2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
        assertArrayEquals(all, read("copied"));
        Json.Obj moved = Cli.good(
                        "concat",
                        b,
                        a,
                        "--axis",
                        "0",
                        "--to",
                        dir.resolve("moved").toString(),
                        "--move",
                        "--json")
                .object();
        assertEquals("{\"objects\":4,\"reencoded\":0,\"found\":0,\"bytes\":0}", moved.toString());
        assertEquals(20, read("moved").length);
        assertFalse(Files.exists(dir.resolve("a/zarr.json")));
        assertFalse(Files.exists(dir.resolve("b/c")));
    }

    @Test
    void edges_areEncodedAgain_whenAsked() {
        String a = array("a", 5, 2);
        String b = array("b", 6, 3);
        String to = dir.resolve("to").toString();
        Cli.Result refused = Cli.run("concat", a, b, "--axis", "0", "--to", to);
        assertEquals(1, refused.status());
        assertTrue(refused.err().contains("c/2/0") && refused.err().contains("--reencode-edges"), refused.err());
        assertTrue(Cli.good("concat", a, b, "--axis", "0", "--to", to, "--dry-run")
                .out()
                .replaceAll("\\s", "")
                .contains("[[[2,2],1,[3,2]],2]"));
        assertFalse(Files.exists(dir.resolve("to/zarr.json")));
        assertEquals(
                "5 objects copied, 1 of them encoded again; 40 bytes\n",
                Cli.good("concat", a, b, "--axis", "0", "--to", to, "--reencode-edges")
                        .out());
        assertEquals(22, read("to").length);
        Cli.good("verify", to);
    }

    @Test
    void arrayByTwoNames_isNotMoved() throws IOException {
        String a = array("a", 4, 2);
        Files.createSymbolicLink(dir.resolve("la"), dir.resolve("a"));
        Cli.Result result = Cli.run(
                "concat",
                a,
                dir.resolve("la").toString(),
                "--axis",
                "0",
                "--to",
                dir.resolve("to").toString(),
                "--move");
        assertEquals(2, result.status());
        assertTrue(result.err().contains("one is given twice"), result.err());
        assertEquals(8, read("a").length);
    }

    @Test
    void arrayOfZarrV2_isToBeConvertedFirst() throws IOException {
        Files.createDirectories(dir.resolve("v2"));
        Files.writeString(
                dir.resolve("v2/.zarray"),
                "{\"zarr_format\": 2, \"shape\": [4], \"chunks\": [2], "
                        + "\"dtype\": \"|u1\", \"fill_value\": 9, \"order\": \"C\", \"filters\": null, "
                        + "\"compressor\": null}");
        Cli.Result result = Cli.run(
                "concat",
                dir.resolve("v2").toString(),
                "--axis",
                "0",
                "--to",
                dir.resolve("to").toString());
        assertEquals(1, result.status());
        assertTrue(result.err().contains("convert it first"), result.err());
    }

    /** Counts the files in a folder, which may be absent. */
    private long files(String folder) throws IOException {
        Path path = dir.resolve(folder);
        if (!Files.exists(path)) {
            return 0;
        }
        try (Stream<Path> all = Files.walk(path)) {
            return all.filter(Files::isRegularFile).count();
        }
    }

    /** A chunk that cannot be decoded ends the run when other chunks have moved already. */
    @ParameterizedTest
    @ValueSource(strings = {"0", "t"})
    void interruptedMove_isCompletedByTheSameCommand(String axis) throws IOException {
        String a = array("a", 5, 2);
        String b = array("b", 6, 3);
        String to = dir.resolve("to").toString();
        String[] command = {"concat", a, b, "--axis", axis, "--to", to, "--move", "--reencode-edges"};
        Path chunk = dir.resolve("a/c/2/0");
        byte[] whole = Files.readAllBytes(chunk);
        Files.write(chunk, new byte[1]);
        Cli.bad(1, dir.resolve("a").toString(), command);
        assertFalse(Files.exists(dir.resolve("a/zarr.json")));
        String what = "an array that an unfinished concatenation moves to another place";
        Cli.bad(1, what, "info", a);
        Cli.bad(3, what, "verify", a);
        Cli.bad(1, what, "rm", a);
        Cli.bad(1, "concat --move with the same arrays", "rm", "--force", a);
        Files.write(chunk, whole);
        byte[] state = Files.readAllBytes(dir.resolve("to/__unfinished_concatenation"));
        Cli.good(command);
        assertEquals(22, read("to").length);
        assertEquals(0, files("a"), "files that are left");
        Files.write(dir.resolve("to/__unfinished_concatenation"), state); // killed behind the last removal
        Cli.good(command);
        assertFalse(Files.exists(dir.resolve("to/__unfinished_concatenation")));
        Cli.good("verify", to);
    }

    @Test
    void exitStatuses() {
        String a = array("a", 4, 2);
        assertEquals(2, Cli.run("concat", a, "--axis", "0").status());
        assertEquals(
                2,
                Cli.run("concat", a, "--axis", "3", "--to", dir.resolve("to").toString())
                        .status());
        assertEquals(2, Cli.run("concat", a, "--axis", "0", "--to", a + "/in").status());
        assertEquals(
                1,
                Cli.run(
                                "concat",
                                a,
                                dir.resolve("none").toString(),
                                "--axis",
                                "0",
                                "--to",
                                dir.resolve("to").toString())
                        .status());
        assertEquals(
                1, Cli.run("concat", a, "--axis", "0", "--to", array("b", 2, 2)).status());
    }
}
