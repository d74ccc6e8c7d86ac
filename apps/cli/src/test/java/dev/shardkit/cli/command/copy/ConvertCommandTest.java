package dev.shardkit.cli.command.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.cli.Cli;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code convert}, and the other commands on nodes of Zarr v2. */
class ConvertCommandTest {
    @TempDir
    Path dir;

    private String url = "";

    @BeforeEach
    void tree() throws IOException {
        url = dir.resolve("tree").toString();
        put("tree/.zgroup", "{\"zarr_format\": 2}");
        put(
                "tree/a/.zarray",
                "{\"zarr_format\": 2, \"shape\": [4], \"chunks\": [2], \"dtype\": \"|u1\", "
                        + "\"fill_value\": 9, \"order\": \"C\", \"filters\": null, \"compressor\": null}");
        Files.write(dir.resolve("tree/a/1"), new byte[] {3, 4});
    }

    private void put(String path, String text) throws IOException {
        Files.createDirectories(dir.resolve(path).getParent());
        Files.writeString(dir.resolve(path), text);
    }

    @Test
    void aPlaceThatCannotBeWritten_isNamedWithTheFormThatCopies() throws IOException {
        Path document = dir.resolve("refs.json");
        Files.writeString(document, "{\".zgroup\":\"{\\\"zarr_format\\\":2}\"}");
        Cli.bad(3, "shardkit convert SRC DST makes a copy in Zarr v3", "convert", "reference:" + document);
    }

    @Test
    void commands_workOnZarrV2() {
        assertEquals(
                List.of("/", "/a"),
                ((Json.Arr) Cli.good("ls", url, "--json").json())
                        .items().stream()
                                .map(n -> ((Json.Str) ((Json.Obj) n).get("path").orElseThrow()).value())
                                .toList());
        assertEquals(
                Optional.of(Json.of("uint8")),
                Cli.good("info", url + "/a", "--json").object().get("data_type"));
        assertTrue(Cli.good("info", url + "/a").out().contains("zarr_v2"));
        assertEquals(
                List.of("9", "9", "3", "4"),
                Cli.good("--array_path", url + "/a").lines());
        assertEquals(0, Cli.good("verify", url).status());
        String copy = dir.resolve("copy").toString();
        Cli.good("copy", url, copy, "--shard-shape", "4");
        assertEquals(
                List.of("9", "9", "3", "4"),
                Cli.good("--array_path", copy + "/a").lines());
    }

    @Test
    void convert_inPlace_andAgain() {
        assertTrue(Cli.good("convert", url, "--dry-run").out().contains("/a: would be described"));
        assertFalse(Files.exists(dir.resolve("tree/zarr.json")));
        assertTrue(Cli.good("convert", url).out().contains("2 nodes, 2 converted, 0 already Zarr v3, 0 refused"));
        assertTrue(Files.exists(dir.resolve("tree/zarr.json")));
        assertEquals(
                List.of("9", "9", "3", "4"),
                Cli.good("--array_path", url + "/a").lines());
        assertTrue(Cli.good("convert", url).out().contains("0 converted, 2 already Zarr v3"));
    }

    @Test
    void convert_toAnotherPlace_asJson() {
        String target = dir.resolve("target").toString();
        Json.Obj said = Cli.good("convert", url, "--to", target, "--json").object();
        assertTrue(said.toString().contains("\"copied\""), said.toString());
        assertEquals(
                List.of("9", "9", "3", "4"),
                Cli.good("--array_path", target + "/a").lines());
        assertFalse(Files.exists(dir.resolve("tree/zarr.json")));
    }

    @Test
    void whatHasNoCounterpart_isStatusOne_andNothingIsWritten() throws IOException {
        put(
                "tree/s/.zarray",
                "{\"zarr_format\": 2, \"shape\": [4], \"chunks\": [2], \"dtype\": [[\"x\", \"|O\"]], "
                        + "\"fill_value\": null, \"order\": \"C\", \"filters\": null, \"compressor\": null}");
        Cli.Result result = Cli.run("convert", url);
        assertEquals(1, result.status());
        assertTrue(result.out().contains("/s: refused; .zarray: /dtype/0/1: objects"), result.out());
        assertFalse(Files.exists(dir.resolve("tree/a/zarr.json")));
        Cli.Result itself = Cli.run("convert", url + "/s");
        assertEquals(1, itself.status());
        assertTrue(itself.out().contains("/: refused; .zarray: /dtype/0/1: objects"), itself.out());
    }

    @Test
    void whatZarrPythonDoesNotOpen_isNoted() throws IOException {
        put(
                "text/.zarray",
                "{\"zarr_format\": 2, \"shape\": [4], \"chunks\": [2], \"dtype\": \"|V4\", "
                        + "\"fill_value\": null, \"order\": \"C\", \"filters\": null, \"compressor\": null}");
        String text = dir.resolve("text").toString();
        String said = Cli.good("convert", text, "--dry-run", "--json").out();
        assertTrue(said.contains("\"notes\": [\"zarr-python does not open arrays of data type r32"), said);
        Cli.Result result = Cli.run("convert", text);
        assertEquals(0, result.status());
        assertTrue(result.err().startsWith("shardkit: /: note: zarr-python does not open"), result.err());
        assertEquals("", Cli.good("convert", text).err(), "it is converted already");
    }

    /** The text "2" of WEBKNOSSOS, and an array of Zarr v3 as GDAL before 3.11 wrote it. */
    @Test
    void whatIsReadLeniently_isNotedOnce() throws IOException {
        put("lenient/.zgroup", "{\"zarr_format\": \"2\"}");
        put(
                "lenient/a/zarr.json",
                "{\"zarr_format\":3,\"node_type\":\"array\",\"shape\":[2],\"data_type\":\"uint8\",\"fill_value\":0,"
                        + "\"chunk_grid\":{\"name\":\"regular\",\"configuration\":{\"chunk_shape\":[2]}},"
                        + "\"chunk_key_encoding\":{\"name\":\"default\"},\"codecs\":[]}");
        for (String[] way : new String[][] {{"--to", dir.resolve("out").toString()}, {"--dry-run"}, {}}) {
            List<String> command =
                    new ArrayList<>(List.of("convert", dir.resolve("lenient").toString()));
            command.addAll(List.of(way));
            Cli.Result result = Cli.run(command.toArray(String[]::new));
            List<String> told = result.err().lines().toList();
            assertEquals(2, told.size(), result.err());
            assertTrue(
                    told.get(0).startsWith("shardkit: /a: note: is not read exactly as it is stored: /codecs"),
                    result.err());
            assertTrue(
                    told.get(1)
                            .contains("/: note: is not read exactly as it is stored: .zgroup: /zarr_format: the text"),
                    result.err());
        }
    }

    @Test
    void bigEndianRecords_whichZarrPythonReadsWrongly_areNoted() throws IOException {
        for (String order : List.of("<", ">")) {
            put(
                    "records" + (order.equals("<") ? "little" : "big") + "/.zarray",
                    "{\"zarr_format\": 2, \"shape\": [4], \"chunks\": [2], \"dtype\": [[\"x\", \"" + order
                            + "i4\"]], \"fill_value\": null, \"order\": \"C\", \"filters\": null, "
                            + "\"compressor\": null}");
            String said = Cli.good(
                            "convert",
                            dir.resolve("records" + (order.equals("<") ? "little" : "big"))
                                    .toString(),
                            "--dry-run",
                            "--json")
                    .out();
            assertEquals(order.equals(">"), said.contains("big-endian records"), said);
        }
    }

    @Test
    void zlib_isEncodedAgain_andSaysHowToKeepIt() throws IOException {
        put(
                "zlib/.zarray",
                "{\"zarr_format\": 2, \"shape\": [4], \"chunks\": [2], \"dtype\": \"|u1\", \"fill_value\": 0, "
                        + "\"order\": \"C\", \"filters\": null, \"compressor\": {\"id\": \"zlib\", \"level\": 1}}");
        String zlib = dir.resolve("zlib").toString();
        Cli.Result result =
                Cli.run("convert", zlib, "--dry-run", "--to", dir.resolve("new").toString());
        assertEquals(0, result.status(), result.err());
        assertTrue(result.out().contains("/: would be encoded again"), result.out());
        assertTrue(result.err().contains("to copy them as they are, use --numcodecs-names"), result.err());
        Cli.good(
                "convert",
                zlib,
                "--dry-run",
                "--numcodecs-names",
                "--to",
                dir.resolve("new").toString());
    }

    @Test
    void targetWithinTheSource_isWrongUse() {
        Cli.Result result = Cli.run("convert", url, "--to", url + "/sub");
        assertEquals(2, result.status());
        assertTrue(result.err().contains("overlap"), result.err());
        assertFalse(Files.exists(dir.resolve("tree/sub")));
    }
}
