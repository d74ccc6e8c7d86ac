package dev.shardkit.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;

/** Runs the Python programs of the conformance kit. */
public final class KitScripts {
    public static final Path FIXTURES =
            Path.of("../../conformance-tests/fixtures").toAbsolutePath().normalize();

    private static final Path KIT =
            Path.of("../../conformance").toAbsolutePath().normalize();

    private KitScripts() {}

    /** Skips the test where there is no Python. */
    public static void needsPython() throws InterruptedException {
        try {
            Process python = new ProcessBuilder("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))")
                    .redirectErrorStream(true)
                    .start();
            Assumptions.assumeTrue(python.waitFor() == 0);
        } catch (IOException e) {
            Assumptions.abort("no Python");
        }
    }

    /** The command of shardkit as a batch tool, from these classes. */
    static String shardkit() {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return "'" + java + "' -Xmx256m -XX:TieredStopAtLevel=1 -cp '" + System.getProperty("java.class.path") + "' "
                + Main.class.getName() + " conformance-batch";
    }

    /** The command of a script of the tests, which damages what shardkit does. */
    static String broken(Path dir, String name) throws IOException {
        Path script = dir.resolve(name);
        try (InputStream in = KitScripts.class.getResourceAsStream(name)) {
            Files.write(script, in.readAllBytes());
        }
        return "python3 '" + script + "' " + shardkit();
    }

    /** The rows of the report of a program of the kit. */
    static Map<String, Json.Obj> rows(Path dir, String program, String... options) throws Exception {
        Path report = dir.resolve("report.json");
        List<String> command =
                new ArrayList<>(List.of("python3", KIT.resolve(program).toString()));
        command.addAll(List.of(options));
        command.addAll(List.of("--jobs", "1", "--report", "json", "-o", report.toString()));
        Path said = dir.resolve("said");
        new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start()
                .waitFor();
        assertTrue(Files.exists(report), Files.readString(said));
        Json.Obj document = (Json.Obj) JsonReader.read(Files.readAllBytes(report), Limits.defaults());
        Map<String, Json.Obj> rows = new TreeMap<>();
        for (Json row : ((Json.Arr) document.get("rows").orElseThrow()).items()) {
            rows.put(text((Json.Obj) row, "id"), (Json.Obj) row);
        }
        return rows;
    }

    /** The status of a program of the kit, and what it says. */
    static String trouble(Path dir, String program, String... options) throws Exception {
        List<String> command =
                new ArrayList<>(List.of("python3", KIT.resolve(program).toString()));
        command.addAll(List.of(options));
        Path said = dir.resolve("said");
        int status = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start()
                .waitFor();
        return status + " " + Files.readString(said);
    }

    static String text(Json.Obj row, String member) {
        return ((Json.Str) row.get(member).orElseThrow()).value();
    }

    static long number(Json.Obj row, String member) {
        return Long.parseLong(row.get(member).orElseThrow().toString());
    }
}
