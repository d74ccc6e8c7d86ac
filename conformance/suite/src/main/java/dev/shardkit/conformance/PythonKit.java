package dev.shardkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Runs the Python programs of the conformance kit, which this artifact contains, for the rows of {@link Task#WRITING}
 * and {@link Task#PARTIAL}. The programs list these rows, run the tool under test and judge its answers, so users with
 * and without a JVM get the same verdicts. Used by one thread.
 */
final class PythonKit implements AutoCloseable {
    private static final List<String> PROGRAMS =
            List.of("run.py", "writing.py", "layout.py", "partial.py", "serving.py", "scenes.py");
    private static final String PYTHON = System.getProperty("os.name", "").startsWith("Windows") ? "python" : "python3";
    private static final double MILLIS_OF_SECOND = 1000;

    private final Path folder;
    private final Path fixtures;

    private PythonKit(Path folder, Path fixtures) {
        this.folder = folder;
        this.fixtures = fixtures;
    }

    /**
     * Unpacks the programs into a temporary folder.
     *
     * @param fixtures the folder of the manifests
     */
    static PythonKit open(Path fixtures) throws IOException {
        PythonKit kit = new PythonKit(Files.createTempDirectory("shardkit-kit").toRealPath(), fixtures);
        boolean isComplete = false;
        try {
            for (String program : PROGRAMS) {
                try (InputStream in = PythonKit.class.getResourceAsStream("kit/" + program)) {
                    if (in == null) {
                        throw new IOException("the artifact shardkit-conformance lacks " + program);
                    }
                    Files.copy(in, kit.folder.resolve(program));
                }
            }
            isComplete = true;
            return kit;
        } finally {
            if (!isComplete) {
                kit.close();
            }
        }
    }

    /** Returns the rows of these tasks. */
    List<Row> rows(List<Task> tasks) throws IOException, InterruptedException {
        List<Row> rows = new ArrayList<>();
        for (String line : python(tasks, List.of("--list")).lines().toList()) {
            String[] parts = line.split("  ", 3); // id, tags, purpose
            Set<String> tags = Set.of(parts[1].split(","));
            rows.add(new Row(
                    parts[0],
                    kind(tags),
                    fixtures,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    tags,
                    parts[2]));
        }
        return rows;
    }

    /** Returns the kind of a row, which {@code run.py --list} tells by a tag. */
    private static Row.Kind kind(Set<String> tags) {
        if (tags.contains("write")) {
            return Row.Kind.WRITE;
        } else if (tags.contains("update")) {
            return Row.Kind.UPDATE;
        }
        return tags.contains("partial") ? Row.Kind.PARTIAL : Row.Kind.FAULT;
    }

    /**
     * Runs a tool.
     *
     * @param rows the rows that {@code options} select
     * @param options options of {@code run.py}, which name the tool and select rows
     * @return the outcomes of the rows
     */
    List<Outcome> run(List<Task> tasks, List<Row> rows, List<String> options) throws IOException, InterruptedException {
        Map<String, Row> byId = new LinkedHashMap<>();
        rows.forEach(row -> byId.put(row.id(), row));
        Path report = folder.resolve("report.json");
        List<String> all = new ArrayList<>(options);
        all.addAll(List.of("--report", "json", "-o", report.toString()));
        python(tasks, all);
        if (!Files.exists(report)) {
            throw new IOException("run.py wrote no report: " + lastErrorLine());
        }
        List<Outcome> outcomes = new ArrayList<>();
        for (JsonNode outcome : new ObjectMapper().readTree(report.toFile()).get("rows")) {
            Row row = byId.get(outcome.get("id").asText());
            if (row == null) {
                throw new IOException("the Python kit judged another row: " + outcome.get("id"));
            }
            outcomes.add(outcome(row, outcome));
        }
        return outcomes;
    }

    /** Converts a row of the report of {@code run.py}; the costs of reading over HTTP go into the detail. */
    private static Outcome outcome(Row row, JsonNode found) {
        String detail = found.get("detail").asText();
        if (found.has("requests")) {
            String costs = String.format(
                    Locale.ROOT,
                    "requests %d (least %d), bytes %d (least %d)",
                    found.get("requests").asLong(),
                    found.get("least_requests").asLong(),
                    found.get("bytes").asLong(),
                    found.get("least_bytes").asLong());
            detail = detail.isEmpty() ? costs : detail + "; " + costs;
        }
        return new Outcome(
                row,
                Verdict.valueOf(found.get("verdict").asText().toUpperCase(Locale.ROOT)),
                detail,
                found.get("output").asText(),
                Duration.ofMillis(Math.round(found.get("seconds").asDouble() * MILLIS_OF_SECOND)),
                OptionalLong.empty());
    }

    /** Runs {@code run.py}; returns what it printed. */
    private String python(List<Task> tasks, List<String> options) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(PYTHON, folder.resolve("run.py").toString()));
        command.addAll(List.of(
                "--fixtures",
                fixtures.toString(),
                "--rows",
                String.join(",", tasks.stream().map(Task::word).toList())));
        command.addAll(options);
        Path out = folder.resolve("out");
        Processes processes = new Processes();
        Process process = start(
                processes,
                new ProcessBuilder(command)
                        .redirectOutput(out.toFile())
                        .redirectError(folder.resolve("err").toFile()));
        try {
            if (process.waitFor() > 1) { // 1 means that the tool failed
                throw new IOException(lastErrorLine());
            }
        } finally {
            processes.kill(process);
        }
        return Files.readString(out, StandardCharsets.UTF_8);
    }

    private String lastErrorLine() throws IOException {
        String errors =
                Files.readString(folder.resolve("err"), StandardCharsets.UTF_8).strip();
        String last = errors.substring(errors.lastIndexOf('\n') + 1);
        return last.startsWith("run.py: ") ? last.substring("run.py: ".length()) : last;
    }

    private static Process start(Processes processes, ProcessBuilder builder) throws IOException {
        try {
            return processes.start(builder);
        } catch (IOException e) {
            throw new IOException("rows of writing and partial reading need Python 3.9 or newer: no " + PYTHON, e);
        }
    }

    @Override
    public void close() throws IOException {
        Fixtures.delete(folder);
    }
}
