package dev.shardkit.cli.command.conformance;

import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.ProgressDisplay;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.conformance.CommandTemplate;
import dev.shardkit.conformance.ConformanceResult;
import dev.shardkit.conformance.ConformanceRun;
import dev.shardkit.conformance.Fixtures;
import dev.shardkit.conformance.Manifest;
import dev.shardkit.conformance.ReportFormat;
import dev.shardkit.conformance.Row;
import dev.shardkit.conformance.Task;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code conformance}: runs any implementation over the conformance fixtures. */
@Command(
        name = "conformance",
        description = {
            "Run any Zarr implementation over the conformance fixtures and compare the values.",
            "With --batch one process answers all rows: JSON lines on its standard input and output.",
            "With --command the tool reads the array in the folder {path} and writes its elements to the file "
                    + "{out}, little-endian and in C"
                    + " order (strings and bytes as JSON); a placeholder {selection} is a box such as 0:4,2:9. "
                    + "It exits with"
                    + " 0, or with another status to refuse the array. docs/conformance.md has the full contract."
        },
        footer = {
            "",
            "Exit status: 0 no wrong values, crashes or time-outs, and at least one array was read; 1 "
                    + "otherwise; 2 wrong usage, or fixtures or a tool that cannot be run.",
            "Valid arrays that the tool refuses, and malformed arrays that it refuses for another reason, are counted."
                    + " They fail the run only with --strict."
        })
public final class ConformanceCommand extends ShardkitCommand {
    @Option(
            names = "--command",
            paramLabel = "'tool {path} {out}'",
            description = "The tool under test with its placeholders, run once for each row, without a shell.")
    private @Nullable String command;

    @Option(
            names = "--batch",
            paramLabel = "'tool'",
            description = "The tool under test, one process for all rows, without a shell.")
    private @Nullable String batch;

    @Option(
            names = "--rows",
            split = ",",
            paramLabel = "reading|writing|partial",
            description = "The kinds of rows (default: reading). Writing and partial reading need --batch and Python"
                    + " 3.9 or newer.")
    private Set<Task> tasks = new LinkedHashSet<>(Set.of(Task.READING));

    @Option(
            names = "--reader",
            paramLabel = "'tool'",
            description = "With --rows writing: a batch tool that reads the arrays that the tool wrote; repeatable.")
    private List<String> readers = new ArrayList<>();

    @Option(names = "--list", description = "List the rows with their tags; run nothing.")
    private boolean listOnly;

    @Option(names = "--tags", split = ",", paramLabel = "TAG", description = "Only rows with one of these tags.")
    private Set<String> tags = new LinkedHashSet<>();

    @Option(
            names = "--without-tags",
            split = ",",
            paramLabel = "TAG",
            description = "Only rows without any of these tags.")
    private Set<String> withoutTags = new LinkedHashSet<>();

    @Option(
            names = "--report",
            paramLabel = "text|json|junit|html",
            description = "The form of the report (default: text).")
    private ReportFormat report = ReportFormat.TEXT;

    @Option(names = "-o", paramLabel = "FILE", description = "Write the report to FILE.")
    private @Nullable Path file;

    @Option(names = "--timeout", paramLabel = "SECONDS", description = "The time for each row (default: 60).")
    private int timeout = 60;

    @Option(
            names = "--memory",
            paramLabel = "MIB",
            description = "The limit on the tool's memory growth for a malformed array (default: 256).")
    private int memory = 256;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "The number of tools that run at a time (default: one for each processor).")
    private int jobs = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--strict",
            description = "Also fail if the tool refuses a valid array, or refuses a malformed one for another reason.")
    private boolean strict;

    @Option(
            names = "--fixtures",
            paramLabel = "DIR",
            description = "A folder with manifest.json and malformed.json (default: the fixtures of shardkit).")
    private @Nullable Path folder;

    public ConformanceCommand(Output output) {
        super(output);
    }

    @Override
    public int run() throws IOException {
        try {
            return runFixtures();
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            // This is no result of the tool. Status 1 would mean that the run ended and found a problem.
            throw new UsageException(e.getMessage());
        }
    }

    /** Checks the options, runs the tool on the rows, writes the report, and returns the exit status. */
    private int runFixtures() throws IOException {
        if (timeout < 1 || memory < 1 || jobs < 1) {
            throw new UsageException("--timeout, --memory and --jobs must be at least 1");
        }
        if (!listOnly && (command != null) == (batch != null)) {
            throw new UsageException("give the tool with either --command or --batch");
        }
        if (!listOnly && batch == null && !tasks.equals(Set.of(Task.READING))) {
            throw new UsageException("--rows writing and --rows partial need --batch");
        }
        if (!listOnly && readers.isEmpty() && tasks.contains(Task.WRITING)) {
            throw new UsageException("--rows writing needs at least one --reader");
        }
        ConformanceRun run = ConformanceRun.of(toolTemplate())
                .withTasks(tasks)
                .withReaders(readers.stream().map(CommandTemplate::parseBatch).toList())
                .withTags(tags)
                .withoutTags(withoutTags)
                .withTimeout(Duration.ofSeconds(timeout))
                .withMemory((long) memory << 20)
                .withJobs(jobs);
        ClassLoader loader = ConformanceCommand.class.getClassLoader();
        try (Fixtures fixtures = folder != null ? Fixtures.in(folder) : Fixtures.onClassPath(loader)) {
            Manifest manifest = Manifest.read(fixtures.folder().toAbsolutePath().normalize());
            List<Row> rows = selectRows(run, manifest);
            if (listOnly) {
                rows.forEach(row -> output().printLine(
                                row.id() + "  " + String.join(",", new TreeSet<>(row.tags())) + "  " + row.special()));
                return 0;
            }
            checkReport();
            ConformanceResult result = runRows(run, manifest, rows.size());
            write(result);
            return result.isGood() && (!strict || result.isStrictlyGood()) ? 0 : 1;
        }
    }

    /** Returns the rows that the options select. Throws if there are none. */
    private static List<Row> selectRows(ConformanceRun run, Manifest manifest) throws IOException {
        try {
            List<Row> rows = run.allRows(manifest);
            if (rows.isEmpty()) {
                List<Row> all = run.withTags(Set.of()).withoutTags(Set.of()).allRows(manifest);
                Set<String> tags = new TreeSet<>();
                all.forEach(row -> tags.addAll(row.tags()));
                throw new UsageException(
                        "none of " + all.size() + " rows has such tags; there are " + String.join(", ", tags));
            }
            return rows;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the rows were listed");
        }
    }

    /** Refuses a report file that cannot be written. Called before the run. */
    private void checkReport() {
        if (file != null && (Files.isDirectory(file) || !Files.isDirectory(parent(file)))) {
            throw new UsageException(
                    "the report " + file + " cannot be written: expected a file in an existing folder");
        }
    }

    private static Path parent(Path file) {
        Path parent = file.toAbsolutePath().getParent();
        return parent == null ? file : parent;
    }

    /** Returns the tool under test. With {@code --list}, which runs nothing, it may be a placeholder. */
    private CommandTemplate toolTemplate() {
        return batch != null
                ? CommandTemplate.parseBatch(batch)
                : CommandTemplate.parse(command != null ? command : "nothing {path} {out}");
    }

    private ConformanceResult runRows(ConformanceRun run, Manifest manifest, int rows) throws IOException {
        AtomicInteger done = new AtomicInteger();
        try (ProgressDisplay progress = ProgressDisplay.of("conformance", "arrays", output())) {
            return run.run(manifest, outcome -> progress.onProgress(done.incrementAndGet(), rows));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted after " + done.get() + " of " + rows + " rows");
        }
    }

    private void write(ConformanceResult result) throws IOException {
        if (file == null) {
            report.write(result, output().writer());
            return;
        }
        try (Writer out = Files.newBufferedWriter(file)) {
            report.write(result, out);
        }
        output().printMessage(result.summary());
    }
}
