package dev.shardkit.cli.command.look;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.cli.Cli;
import dev.shardkit.cli.Nodes;
import dev.shardkit.cli.print.drawing.GridDrawing;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MapCommandTest {
    @TempDir
    Path dir;

    private static List<String> drawn(Cli.Result result) {
        return result.lines().stream().filter(line -> line.matches("[|+].*")).toList();
    }

    @Test
    void map_ofAShard_drawsItsInnerChunks() {
        Cli.Result result = Cli.good("map", Nodes.sparse(dir.resolve("a")), "0,0");
        assertEquals(List.of("+--+", "|.#|", "|#.|", "+--+"), drawn(result));
        assertTrue(result.out().contains("inner chunks 4 of shape [2, 2], 2 stored"), result.out());
    }

    @Test
    void map_ofAnArray_drawsTheInnerChunksOfAllShards() {
        Cli.Result result = Cli.good("map", Nodes.sparse(dir.resolve("a")));
        assertEquals(List.of("+----+", "|.#..|", "|#...|", "|....|", "|    |", "+----+"), drawn(result));
        assertTrue(result.out().contains("shards       4 of shape [4, 4], 1 stored"), result.out());
        assertTrue(result.out().contains("inner chunks 12, 2 stored"), result.out());
    }

    /** The shard has four planes, the array two of them. */
    @Test
    void map_drawsNoPlanesOutsideTheArray() {
        String url = dir.resolve("a").toString();
        Cli.good(
                "create",
                url,
                "--shape",
                "4,2,2",
                "--data-type",
                "int8",
                "--chunk-shape",
                "1,2,2",
                "--shard-shape",
                "4,2,2");
        try (ZarrArray array = Zarr.openArray(url)) {
            array.write(array.domain(), new byte[] {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 0);
        }
        Cli.good("resize", url, "--shape", "2,2,2");
        assertEquals(List.of("+-+", "|#|", "+-+", "+-+", "|#|", "+-+"), drawn(Cli.good("map", url)));
        assertFalse(Cli.good("map", url).out().contains("[2, :, :]"));
    }

    @Test
    void map_ofUnequalShards_drawsTheInnerChunksOfEach() {
        String url = dir.resolve("a").toString();
        String grid =
                "{\"name\":\"rectilinear\",\"configuration\":{\"kind\":\"inline\",\"chunk_shapes\":[[2,4],[6,[2,2]]]}}";
        Cli.good("create", url, "--shape", "5,9", "--data-type", "int8", "--chunk-grid", grid, "--chunk-shape", "2,2");
        try (ZarrArray array = Zarr.openArray(url)) {
            array.write(Box.of(new long[] {1, 5}, new long[] {2, 2}), new byte[] {1, 2, 3, 4}, 0);
        }
        Cli.Result result = Cli.good("map", url);
        assertEquals(List.of("+-----+", "|..##.|", "|..##.|", "|.....|", "+-----+"), drawn(result));
        assertTrue(result.out().contains("6 of different shapes, the first [2, 6], 4 stored"), result.out());
        assertEquals(List.of("+-+", "|#|", "|.|", "+-+"), drawn(Cli.good("map", url, "1,1")));
        assertTrue(Cli.good("ls", url).out().contains("shards [(2, 4), (6, 2 x 2)] of inner chunks [2, 2]"));
        String copy = dir.resolve("b").toString();
        assertEquals(
                0,
                Cli.run("copy", url, copy, "--codecs", "[{\"name\":\"gzip\",\"configuration\":{\"level\":1}}]")
                        .status());
        assertEquals(List.of("+-----+", "|..##.|", "|..##.|", "|.....|", "+-----+"), drawn(Cli.good("map", copy)));
    }

    @Test
    void mapJson_saysWhereInnerChunksLie() throws IOException {
        String url = Nodes.sparse(dir.resolve("a"));
        Json.Obj map = Cli.good("map", url, "0,0", "--json").object();
        long size = Files.size(dir.resolve("a/c/0/0"));
        assertEquals(String.valueOf(size), map.members().get("size").toString());
        assertEquals("2", map.members().get("inner_chunks_stored").toString());
        assertEquals(
                "{\"offset\":" + (size - 68) + ",\"size\":68}",
                map.members().get("index").toString());
        assertEquals("0", map.members().get("gap_bytes").toString());
        Json.Arr entries = (Json.Arr) map.members().get("entries");
        assertEquals(
                List.of("[0,1]", "[1,0]"),
                entries.items().stream()
                        .map(e -> ((Json.Obj) e).members().get("cell").toString())
                        .toList());
        Json.Obj all = Cli.good("map", url, "--json").object();
        assertEquals(4, ((Json.Arr) all.members().get("shards")).items().size());
        assertEquals(
                "false",
                Cli.good("map", url, "1,1", "--json")
                        .object()
                        .members()
                        .get("stored")
                        .toString());
    }

    @Test
    void map_countsGapsAndWhatIsNoPartOfTheArray() throws IOException {
        String url = Nodes.numbers(dir.resolve("a"));
        Cli.Result edge = Cli.good("map", url, "1,0");
        assertEquals(List.of("+--+", "|##|", "|  |", "+--+"), drawn(edge));
        Path shard = dir.resolve("a/c/0/0");
        byte[] stored = Files.readAllBytes(shard);
        // a foreign header would move the offsets; the gap comes between the inner chunks and the index
        byte[] gap = new byte[stored.length + 5];
        System.arraycopy(stored, 0, gap, 0, stored.length - 68);
        System.arraycopy(stored, stored.length - 68, gap, stored.length - 63, 68);
        Files.write(shard, gap);
        Json.Obj map = Cli.good("map", url, "0,0", "--json").object();
        assertEquals("1", map.members().get("gaps").toString());
        assertEquals("5", map.members().get("gap_bytes").toString());
    }

    @Test
    void map_ofPlainChunks_drawsWhichAreStored() {
        String url = dir.resolve("a").toString();
        Zarr.createArray(url, ArraySpec.of("uint8", 6).withChunkShape(2)).close();
        assertEquals(List.of("+---+", "|...|", "+---+"), drawn(Cli.good("map", url)));
        assertTrue(Cli.good("map", url, "1").out().contains("not stored"));
        assertEquals(
                "false",
                Cli.good("map", url, "1", "--json")
                        .object()
                        .members()
                        .get("stored")
                        .toString());
    }

    @Test
    void map_wrongly_isRefused() throws IOException {
        String url = Nodes.numbers(dir.resolve("a"));
        Cli.bad(2, "2", "map", url, "2,0");
        Cli.bad(2, "expected 2", "map", url, "0");
        Cli.bad(2, "CHUNK", "map", url, "a");
        String many = dir.resolve("many").toString();
        Zarr.createArray(many, ArraySpec.of("uint8", 1L << 40).withChunkShape(1))
                .close();
        Cli.bad(2, "a map shows at most 65536", "map", many);
        Files.writeString(dir.resolve("a/c/0/0"), "short");
        Cli.bad(1, "c/0/0", "map", url, "0,0");
    }

    @Test
    void drawing_ofManyCells_standsForBlocks() {
        List<String> lines = GridDrawing.draw(
                new long[] {96, 128},
                i -> i / 128 < 48 ? GridDrawing.Mark.ALL : i % 2 == 0 ? GridDrawing.Mark.ALL : GridDrawing.Mark.NONE);
        assertEquals("|" + "#".repeat(64) + "|", lines.get(1));
        assertEquals("|" + "+".repeat(64) + "|", lines.get(48));
        assertEquals("(one character covers 2 x 2)", lines.get(lines.size() - 1));
        assertEquals(
                List.of("|" + "#".repeat(64), "|" + "#".repeat(36) + "|"),
                GridDrawing.draw(new long[] {100}, i -> GridDrawing.Mark.ALL));
        assertEquals(List.of("+-+", "|.|", "+-+"), GridDrawing.draw(new long[0], i -> GridDrawing.Mark.NONE));
        assertEquals(List.of(), GridDrawing.draw(new long[] {0, 3}, i -> GridDrawing.Mark.NONE));
        assertEquals(
                List.of("[0, :, :]", "+-+", "|#|", "+-+", "[1, :, :]", "+-+", "|.|", "+-+"),
                GridDrawing.draw(new long[] {2, 1, 1}, i -> i == 0 ? GridDrawing.Mark.ALL : GridDrawing.Mark.NONE));
    }
}
