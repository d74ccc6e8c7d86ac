package dev.shardkit.cli.command.maintain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.cli.Cli;
import dev.shardkit.cli.Nodes;
import dev.shardkit.spi.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table of when to use shards, and that the printed command works. */
class AdviseCommandTest {
    private static Json.Obj advise(String shape, String... options) {
        List<String> args = new ArrayList<>(List.of("advise", "--shape", shape, "--data-type", "uint16", "--json"));
        args.addAll(Arrays.asList(options));
        return Cli.good(args.toArray(String[]::new)).object();
    }

    private static boolean sharded(Json.Obj advice) {
        return !(advice.get("shard_shape").orElseThrow() instanceof Json.Null);
    }

    @Test
    void shards_areForManyObjects() {
        assertEquals(false, sharded(advise("512,512,512"))); // local, few chunks
        assertEquals(true, sharded(advise("16384,16384,16384"))); // local, over a million
        assertEquals(true, sharded(advise("2048,2048,2048", "--place", "remote")));
        assertEquals(false, sharded(advise("512,512", "--place", "remote"))); // one chunk or two
        assertEquals(false, sharded(advise("2048,2048,2048", "--place", "remote", "--writers", "parallel")));
    }

    @Test
    void shapes_fitTheAccess() {
        Optional<Json> slices = advise("4096,4096,4096", "--access", "slices").get("chunk_shape");
        assertEquals(Optional.of(Json.of(new long[] {1, 256, 512})), slices);
        Json.Obj points = advise("4096,4096,4096", "--access", "points", "--place", "remote");
        assertEquals(Optional.of(Json.of(new long[] {16, 32, 32})), points.get("chunk_shape"));
        assertEquals(Optional.of(new Json.Num("32768")), points.get("chunk_bytes"));
        double bytes =
                Double.parseDouble(points.get("object_bytes").orElseThrow().toString());
        assertTrue(bytes >= 10e6 && bytes <= 100e6, points.toString());
    }

    @Test
    void slices_areAcrossTheNamedDimension(@TempDir Path dir) {
        String url = dir.resolve("a").toString();
        Cli.run("create", url, "--shape", "512,4096,4096", "--data-type", "uint16", "--dimension-names", "z,t,x");
        Optional<Json> across = Optional.of(Json.of(new long[] {256, 1, 512}));
        for (List<String> axis : List.of(List.of("t"), List.of("1"), List.of("t", "--access", "slices"))) {
            List<String> args = new ArrayList<>(List.of("advise", url, "--json", "--axis"));
            args.addAll(axis);
            Json.Obj advice = Cli.good(args.toArray(String[]::new)).object();
            assertEquals(across, advice.get("chunk_shape"), axis::toString);
            assertTrue(advice.toString().contains("have length 1 in dimension 1"), advice.toString());
        }
        assertEquals(
                across,
                advise("512,4096,4096", "--access", "slices", "--axis", "1").get("chunk_shape"));
        Optional<Json> small = advise("8,1000,10", "--axis", "1").get("chunk_shape");
        assertEquals(Optional.of(Json.of(new long[] {8, 103, 10})), small);
        Cli.bad(2, "from 0 to 2 or one of z, t, x, found q", "advise", url, "--axis", "q");
        Cli.bad(2, "has no axes", "advise", "--shape", "", "--data-type", "uint8", "--axis", "0");
        Cli.bad(2, "--axis is for --access slices", "advise", url, "--axis", "t", "--access", "points");
    }

    @Test
    void smallSlices_shareAChunk() {
        Json.Obj advice = advise("1000,8,10", "--access", "slices");
        assertEquals(Optional.of(Json.of(new long[] {103, 8, 10})), advice.get("chunk_shape"));
        assertTrue(
                advice.toString().contains("hold 103 slices of 160 bytes: chunks below 16 KiB cost more"),
                advice.toString());
        assertEquals(
                Optional.of(Json.of(new long[] {3, 8, 10})),
                advise("3,8,10", "--access", "slices").get("chunk_shape"));
        advise("0,8,10", "--access", "slices");
    }

    @Test
    void smallArrays_areOneChunk() {
        String advice = advise("3,8,10").toString();
        assertTrue(advice.contains("One chunk holds the whole array, 480 bytes before encoding."), advice);
        assertTrue(advice.contains("No shards: one chunk is one object."), advice);
    }

    @Test
    void costs_countRequestsAndBytes() {
        Cli.Result text = Cli.good("advise", "--shape", "2048,2048,2048", "--data-type", "uint16", "--place", "remote");
        List<String> costs =
                text.lines().stream().filter(line -> line.startsWith("cost")).toList();
        assertEquals(5, costs.size(), text.out());
        assertTrue(
                costs.get(0).endsWith("one element: at most 2 requests, about 258.0 KiB in 1 chunk of 1 object"),
                costs.get(0));
        Json.Obj advice = advise("2048,2048,2048", "--place", "remote");
        List<Json> all = ((Json.Arr) advice.get("costs").orElseThrow()).items();
        double chunks = number(advice, "chunks");
        for (int d = 0; d < 3; d++) {
            Json.Obj slice = (Json.Obj) all.get(1 + d);
            long chunk = Long.parseLong(((Json.Arr) advice.get("chunk_shape").orElseThrow())
                    .items()
                    .get(d)
                    .toString());
            long shard = Long.parseLong(((Json.Arr) advice.get("shard_shape").orElseThrow())
                    .items()
                    .get(d)
                    .toString());
            assertEquals(chunks * chunk / 2048, number(slice, "chunks"));
            assertEquals(number(advice, "objects") * shard / 2048, number(slice, "objects"));
            double indexes = number(slice, "objects") * 16 * chunks / number(advice, "objects");
            assertEquals(number(slice, "chunks") * 262144 + indexes, number(slice, "bytes"));
            assertEquals(number(slice, "chunks") + number(slice, "objects"), number(slice, "most_requests"));
        }
        assertEquals(17179869184.0 + 16 * chunks, number((Json.Obj) all.get(4), "bytes"));
        Json.Obj small = (Json.Obj)
                ((Json.Arr) advise("3,8,10").get("costs").orElseThrow()).items().get(1);
        assertEquals(1, number(small, "most_requests"));
    }

    private static double number(Json.Obj object, String name) {
        return Double.parseDouble(object.get(name).orElseThrow().toString());
    }

    /** Chunks of 64 cover 128 x 128, but only 100 x 100 random bytes, which do not compress, are in the array. */
    @Test
    void costs_measureTheCompressionOfElementsInsideTheArray(@TempDir Path folder) {
        String url = folder.resolve("a").toString();
        ArraySpec spec = ArraySpec.of("uint8", 100, 100).withChunkShape(64, 64).withCodecs(Codecs.gzip(5));
        try (ZarrArray array = Zarr.createArray(url, spec)) {
            byte[] random = new byte[100 * 100];
            new Random(1).nextBytes(random);
            array.write(array.domain(), random, 0);
        }
        List<Json> costs = ((Json.Arr)
                        Cli.good("advise", url, "--json").object().get("costs").orElseThrow())
                .items();
        assertTrue(number((Json.Obj) costs.get(costs.size() - 1), "bytes") >= 9_900, costs.toString());
    }

    @Test
    void extremes_areAdvised() {
        advise("");
        advise("0,3");
        advise("900000000000000000,900000000000000000", "--place", "remote");
        advise("9223372036854775807,1", "--access", "slices");
        Cli.bad(2, "expected integers up to 9223372036854775807", "advise", "--shape", "9223372036854775808");
        Cli.bad(2, "give either the URL", "advise");
        Cli.bad(2, "unknown", "advise", "--shape", "3", "--data-type", "uint17");
    }

    @Test
    void command_makesTheLayout(@TempDir Path folder) {
        String array = Nodes.numbers(folder.resolve("a.zarr"));
        Json.Obj advice = Cli.good("advise", array, "--json").object();
        String command = ((Json.Str) advice.get("command").orElseThrow()).value();
        assertTrue(
                command.startsWith("shardkit aggregate " + array + " --chunk-shape 6,8 --shard-shape none"), command);
        Cli.good(command.substring("shardkit ".length()).split(" "));
        assertTrue(Cli.good("advise", array).lines().get(0).endsWith("int32 [6, 8], chunks [6, 8]"));
    }

    /** The layout cannot change while a group above describes the array, so the command says what to do before. */
    @Test
    void commandBelowConsolidatedGroups_makesTheLayout(@TempDir Path folder) {
        Cli.good("group", folder.resolve("g/inner").toString());
        Cli.run("group", folder.resolve("g").toString());
        String array = Nodes.numbers(folder.resolve("g/inner/a"));
        Cli.good("consolidate", folder.resolve("g").toString());
        Json.Obj advice = Cli.good("advise", array, "--json").object();
        String command = ((Json.Str) advice.get("command").orElseThrow()).value();
        for (String each : command.split(" && ")) {
            Cli.good(each.substring("shardkit ".length()).split(" "));
        }
        assertTrue(Cli.good("advise", array).lines().get(0).endsWith("int32 [6, 8], chunks [6, 8]"));
        assertTrue(Cli.good("info", folder.resolve("g").toString()).out().contains("consolidated"), command);
    }
}
