package dev.shardkit.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** One process for all rows, whatever it does with some of them; damaged fixtures. Both runners find the same. */
@Tag("one-jdk")
class BatchTest {
    private static final String SHA_OF_ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    private static final String SOUND =
            "\"expected\": {\"file\": \"abc\", \"format\": \"raw-le-c\", \"sha256\": \"" + SHA_OF_ABC + "\"}";
    private static final String INDEX =
            "\"expected\": {\"refused\": [\"CorruptDataException\"], \"stage\": \"read\", \"faults\": [\"index\"]}";

    @TempDir
    private Path dir;

    private final List<String> rows = new ArrayList<>();
    private final Map<String, String> expected = new LinkedHashMap<>();

    private void row(String id, String kind, String mode, String verdict, String more) throws IOException {
        Path folder = Files.createDirectories(dir.resolve("with blank").resolve(id));
        Files.writeString(folder.resolve("mode"), mode);
        Files.writeString(folder.resolve("values"), "abc");
        rows.add("{\"id\": \"" + id + "\", \"kind\": \"" + kind + "\", \"store\": \"with blank/" + id + "\", " + more
                + "}");
        expected.put(id, verdict);
    }

    private Manifest manifest() throws IOException {
        Files.writeString(dir.resolve("abc"), "abc");
        Files.writeString(dir.resolve("manifest.json"), "{\"cases\": [" + String.join(",\n", rows) + "]}");
        return Manifest.read(dir);
    }

    private static ConformanceRun run(String more) {
        return ConformanceRun.of(CommandTemplate.parseBatch(FakeBatchTool.command(more)))
                .withTimeout(Duration.ofSeconds(60));
    }

    /** The outcomes of both runners, which run at the same time: most rows wait for a limit or for a tool to start. */
    private Map<String, Outcome> outcomes(ConformanceRun run) throws Exception {
        Manifest manifest = manifest();
        Optional<FutureTask<PythonRunner.Report>> theirs = Optional.empty();
        if (PythonRunner.isComparedToo()) {
            theirs = Optional.of(new FutureTask<>(() ->
                    PythonRunner.report(dir, manifest.folder(), "--batch", FakeBatchTool.command(""), "--jobs", "1")));
            new Thread(theirs.get()).start();
        }
        Map<String, Outcome> outcomes = new LinkedHashMap<>();
        ConformanceResult result = run.run(manifest, o -> {});
        result.outcomes().forEach(o -> outcomes.put(o.row().id(), o));
        Map<String, String> verdicts = new LinkedHashMap<>();
        outcomes.forEach((id, o) -> verdicts.put(id, o.verdict().word()));
        assertEquals(expected, verdicts, outcomes.toString());
        if (theirs.isPresent()) {
            PythonRunner.isTheSame(result, theirs.get().get());
        }
        return outcomes;
    }

    private static void said(Map<String, Outcome> outcomes, String id, String part) {
        String detail = outcomes.get(id).detail();
        assertTrue(detail.contains(part) && detail.lines().count() == 1, id + ": " + detail);
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "runs python3 by this name")
    void whateverTheToolDoes_theRunGoesOn() throws Exception {
        row("exit", "array", "exit", "crash", SOUND);
        row("crash", "array", "crash", "crash", SOUND);
        row("chatter", "array", "chatter", "equal", SOUND);
        row("flood", "array", "flood", "crash", SOUND);
        row("huge", "array", "huge", "different", SOUND);
        row("fork", "array", "fork", "crash", SOUND);
        row("stranger", "array", "stranger", "crash", SOUND);
        row("nan", "array", "nan", "equal", SOUND);
        row("trailing", "array", "trailing", "equal", SOUND);
        row("bytes", "array", "bytes", "equal", SOUND);
        row("number", "array", "number", "crash", SOUND);
        row("folder", "array", "folder", "different", SOUND);
        row("neither", "array", "neither", "crash", SOUND);
        row("elsewhere", "array", "elsewhere", "crash", SOUND);
        row("nothing", "array", "nothing", "different", SOUND);
        row("last", "array", "values", "equal", SOUND);
        Map<String, Outcome> outcomes = outcomes(run(""));
        said(outcomes, "exit", "ended with status 0 in place of an answer");
        said(outcomes, "crash", "ended with status 134 in place of an answer");
        said(outcomes, "flood", "printed 16777216 bytes without an answer");
        said(outcomes, "huge", "wrote more than 67108888 bytes of values");
        said(outcomes, "fork", "ended with status 0 in place of an answer");
        said(outcomes, "stranger", "answered another question: {\"id\":\"other\"");
        said(outcomes, "neither", "neither the file \"out\" nor an \"error\"");
        said(outcomes, "nothing", "success, but no output file");
        assertEquals("a warning\n{ not json\n[1]", outcomes.get("chatter").output());
        for (ProcessHandle stray : ProcessHandle.allProcesses()
                .filter(p -> p.info().commandLine().orElse("").contains("sleep 87431"))
                .toList()) {
            stray.onExit().get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    @Tag("long")
    void hangs_areKilled() throws Exception {
        row("hang", "malformed", "hang", "timeout", INDEX);
        row("last", "array", "values", "equal", SOUND);
        said(outcomes(run("")), "hang", "no answer within 20 s");
    }

    @Test
    void faults_areComparedWhereTheToolNamesThem() throws Exception {
        row("right", "malformed", "index", "refused", INDEX);
        row("wrong", "malformed", "metadata", "misnamed", INDEX);
        row("coarse", "malformed", "data", "refused", INDEX);
        row("unknown", "malformed", "whim", "refused", INDEX);
        row("values", "malformed", "values", "different", INDEX);
        row("free", "malformed", "metadata", "refused", "\"expected\": {\"refused\": [], \"stage\": \"read\"}");
        row("sound", "array", "metadata", "refused", SOUND);
        Map<String, Outcome> outcomes = outcomes(run(""));
        said(outcomes, "wrong", "named \"metadata\", expected one of [index]");
    }

    @Test
    void bombs_costTooMuch() throws Exception {
        row("bomb", "malformed", "memory", OS.LINUX.isCurrentOs() ? "costly" : "refused", INDEX);
        row("sound", "array", "memory", "refused", SOUND);
        row("last", "malformed", "index", "refused", INDEX);
        Map<String, Outcome> outcomes = outcomes(run(""));
        if (OS.LINUX.isCurrentOs()) {
            said(outcomes, "bomb", "took more than 256 MiB of memory");
            assertTrue(outcomes.get("sound").memory().orElseThrow() > 256 << 20);
        }
    }

    @Test
    void selection_isPassedOn() throws Exception {
        row(
                "part",
                "array",
                "selection",
                "equal",
                "\"expected\": {\"file\": \"box\", \"format\": \"raw-le-c\"}, \"selection\": [[1, 3], [0, 9]]");
        Files.writeString(dir.resolve("box"), "[[1,3],[0,9]]");
        outcomes(run(""));
    }

    @Test
    void toolsThatSayNoHello_areRefused() throws Exception {
        row("same", "array", "values", "equal", SOUND);
        Manifest manifest = manifest();
        ConformanceRun run = run(" '{\"protocol\": 2}'");
        IOException e = assertThrows(IOException.class, () -> run.run(manifest, o -> {}));
        assertTrue(e.getMessage().startsWith("the tool sent no hello line"), e.getMessage());
        assertThrows(IllegalArgumentException.class, () -> CommandTemplate.parseBatch(" "));
    }

    @Test
    void toolsThatChangeWhatTheyRead_areWrong() throws Exception {
        row("add", "array", "add", "different", SOUND);
        row("spoil", "malformed", "spoil", "different", INDEX);
        row("last", "array", "values", "equal", SOUND);
        List<String> sums = new ArrayList<>();
        for (String name : List.of("add", "spoil", "last")) {
            sums.add(SHA_OF_ABC + "  with blank/" + name + "/values");
            sums.add(sha(name.equals("last") ? "values" : name) + "  with blank/" + name + "/mode");
        }
        Files.write(dir.resolve("SHA256SUMS"), sums);
        ConformanceResult result = run("").run(manifest(), o -> {});
        Map<String, String> details = new LinkedHashMap<>();
        result.outcomes().forEach(o -> details.put(o.row().id(), o.verdict().word() + " " + o.detail()));
        Map<String, String> wanted = new LinkedHashMap<>();
        String changed = "different the tool changed the fixtures: ";
        wanted.put("add", changed + "with blank/add/zarr.json has no checksum: it does not belong to the fixtures");
        wanted.put("spoil", changed + "the fixture with blank/spoil/values does not match its checksum; no");
        wanted.put("last", "equal ");
        assertEquals(wanted, details);
        Files.delete(dir.resolve("with blank/add/zarr.json"));
        Files.writeString(dir.resolve("with blank/spoil/values"), "abc");
        if (PythonRunner.isComparedToo()) {
            PythonRunner.findsTheSame(dir, result, "--batch", FakeBatchTool.command(""), "--jobs", "1");
        }
    }

    private static String sha(String text) throws Exception {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void damagedFixtures_areNotAskedAbout() throws Exception {
        row("same", "array", "values", "equal", SOUND);
        row("sum", "array", "crash", "damaged", SOUND.replace(SHA_OF_ABC, "00" + SHA_OF_ABC.substring(2)));
        row("noexpected", "array", "crash", "damaged", SOUND.replace("abc\"", "abd\""));
        row("nofolder", "malformed", "crash", "damaged", INDEX);
        row("changed", "malformed", "crash", "damaged", INDEX);
        Fixtures.delete(dir.resolve("with blank/nofolder"));
        Files.writeString(dir.resolve("SHA256SUMS"), SHA_OF_ABC + "  with blank/changed/mode\n");
        Map<String, Outcome> outcomes = outcomes(run(""));
        said(outcomes, "sum", "the fixture abc does not match its checksum");
        said(outcomes, "noexpected", "the fixture abd is missing");
        said(outcomes, "nofolder", "the fixture with blank/nofolder is missing");
        said(outcomes, "changed", "the fixture with blank/changed/mode does not match its checksum");
    }
}
