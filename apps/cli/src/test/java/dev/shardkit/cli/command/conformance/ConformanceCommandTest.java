package dev.shardkit.cli.command.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.cli.Cli;
import dev.shardkit.cli.KitScripts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code conformance}: what it lists, and what it refuses before it runs a tool. */
class ConformanceCommandTest {
    private static final String FIXTURES = KitScripts.FIXTURES.toString();

    @TempDir
    private Path dir;

    @Test
    void list_showsRowsWithTheirTagsAndPurpose() {
        List<String> rows = Cli.good(
                        "conformance", "--fixtures", FIXTURES, "--list", "--tags", "draft-transformer,consolidated")
                .lines();
        assertEquals(6, rows.size(), rows.toString());
        assertTrue(rows.get(0).startsWith("group/consolidated  consolidated,group  "), rows.get(0));
    }

    @Test
    void tags_thatNoRowHas_areAnsweredWithThoseThereAre() {
        Cli.bad(
                2,
                "there are choice, chunk, codec, consolidated",
                "conformance",
                "--fixtures",
                FIXTURES,
                "--list",
                "--tags",
                "nothing");
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the tools under test are commands of a POSIX shell")
    void otherKindsOfRows_areListed_andNeedABatchToolAndReaders() throws Exception {
        KitScripts.needsPython();
        String[] list = {"conformance", "--fixtures", FIXTURES, "--list", "--rows", "writing,partial", "--tags"};
        List<String> rows = Cli.good(
                        Stream.concat(Stream.of(list), Stream.of("v2,change")).toArray(String[]::new))
                .lines();
        assertTrue(rows.stream().anyMatch(row -> row.startsWith("change/etag  change  ")), rows.toString());
        Cli.bad(
                2,
                "there are change, choice, codec",
                Stream.concat(Stream.of(list), Stream.of("nothing")).toArray(String[]::new));
        Cli.bad(2, "--rows writing needs at least one --reader", "conformance", "--rows", "writing", "--batch", "true");
        Cli.bad(
                2,
                "--rows writing and --rows partial need --batch",
                "conformance",
                "--rows",
                "partial",
                "--command",
                "x {path} {out}");
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the tools under test are commands of a POSIX shell")
    void fixturesAndToolsThatCannotBeRun_areWrongUse() throws Exception {
        String[] tool = {"conformance", "--fixtures", dir.toString(), "--batch", "true"};
        Cli.bad(2, dir + " has no manifest.json and no malformed.json with rows", tool);
        Files.writeString(dir.resolve("manifest.json"), "[]");
        Cli.bad(2, "manifest.json is not a manifest: expected a list of rows", tool);
        Files.writeString(
                dir.resolve("manifest.json"),
                "{\"cases\": [{\"id\": \"a\", \"store\": \".\", \"expected\":"
                        + " {\"file\": \"manifest.json\", \"format\": \"raw-le-c\"}}]}");
        Cli.bad(2, "the tool sent no hello line, {\"protocol\": 1, ...}: ", tool);
        Cli.bad(
                2,
                "the tool cannot be started: ",
                "conformance",
                "--fixtures",
                dir.toString(),
                "--command",
                "/no/such/tool {path} {out}");
        Files.writeString(dir.resolve("SHA256SUMS"), "none");
        Cli.bad(2, "SHA256SUMS holds no checksums: expected a SHA-256, two blanks and a name", tool);
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the tools under test are commands of a POSIX shell")
    void reportsThatCannotBeWritten_areRefusedBeforeTheRun() {
        Path ran = dir.resolve("ran");
        String command = "touch " + ran + " {path} {out}";
        Cli.bad(
                2,
                "the report " + dir + " cannot be written",
                "conformance",
                "--fixtures",
                FIXTURES,
                "--tags",
                "nan",
                "--command",
                command,
                "-o",
                dir.toString());
        String missing = dir.resolve("missing/report.json").toString();
        Cli.bad(
                2,
                "the report " + missing + " cannot be written",
                "conformance",
                "--fixtures",
                FIXTURES,
                "--tags",
                "nan",
                "--command",
                command,
                "-o",
                missing);
        assertFalse(Files.exists(ran));
    }
}
