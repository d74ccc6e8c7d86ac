package dev.shardkit.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A run of one tool, a Zarr implementation, over the rows of a manifest. A row is a stored array with its expected
 * values, or a malformed array that the tool must refuse. {@link #of} selects all rows of reading, with a minute for
 * each and one process of the tool at a time. Immutable.
 */
public final class ConformanceRun {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);
    /** The default limit on the memory for a malformed array, in bytes. */
    private static final long DEFAULT_MEMORY = 256L << 20;

    private final CommandTemplate command;
    private final Set<String> tags;
    private final Set<String> withoutTags;
    private final Duration timeout;
    private final long memory;
    private final int jobs;
    private final Set<Task> tasks;
    private final List<CommandTemplate> readers;

    private ConformanceRun(
            CommandTemplate command,
            Set<String> tags,
            Set<String> withoutTags,
            Duration timeout,
            long memory,
            int jobs,
            Set<Task> tasks,
            List<CommandTemplate> readers) {
        this.command = command;
        this.tags = Set.copyOf(tags);
        this.withoutTags = Set.copyOf(withoutTags);
        this.timeout = timeout;
        this.memory = memory;
        this.jobs = jobs;
        this.tasks = Set.copyOf(tasks);
        this.readers = List.copyOf(readers);
    }

    /** Creates a run of {@code command}. */
    public static ConformanceRun of(CommandTemplate command) {
        return new ConformanceRun(
                command, Set.of(), Set.of(), DEFAULT_TIMEOUT, DEFAULT_MEMORY, 1, Set.of(Task.READING), List.of());
    }

    /** Returns a run of only the rows with one of these tags; an empty set selects all rows. */
    public ConformanceRun withTags(Set<String> tags) {
        return new ConformanceRun(command, tags, withoutTags, timeout, memory, jobs, tasks, readers);
    }

    /** Returns a run of only the rows with none of these tags. */
    public ConformanceRun withoutTags(Set<String> tags) {
        return new ConformanceRun(command, this.tags, tags, timeout, memory, jobs, tasks, readers);
    }

    /** Returns a run with another time limit for each row. */
    public ConformanceRun withTimeout(Duration timeout) {
        return new ConformanceRun(command, tags, withoutTags, timeout, memory, jobs, tasks, readers);
    }

    /**
     * Returns a run with another limit in bytes on the memory that a malformed array may take before it is refused. For
     * a tool that runs once for each row, this includes the memory of its runtime.
     */
    public ConformanceRun withMemory(long bytes) {
        return new ConformanceRun(command, tags, withoutTags, timeout, bytes, jobs, tasks, readers);
    }

    /** Returns a run with this number of concurrent processes of the tool. */
    public ConformanceRun withJobs(int jobs) {
        return new ConformanceRun(command, tags, withoutTags, timeout, memory, jobs, tasks, readers);
    }

    /**
     * Returns a run of the rows of these tasks, in place of those of reading. {@link Task#WRITING} and
     * {@link Task#PARTIAL} need a batch tool.
     */
    public ConformanceRun withTasks(Set<Task> tasks) {
        return new ConformanceRun(command, tags, withoutTags, timeout, memory, jobs, tasks, readers);
    }

    /** Returns a run with these batch tools as readers of what the tool writes. */
    public ConformanceRun withReaders(List<CommandTemplate> readers) {
        return new ConformanceRun(command, tags, withoutTags, timeout, memory, jobs, tasks, readers);
    }

    /** Returns the selected rows of {@link Task#READING}. */
    public List<Row> rows(Manifest manifest) {
        return tasks.contains(Task.READING) ? selected(manifest.rows()) : List.of();
    }

    /**
     * Returns the selected rows of all tasks.
     *
     * @throws IOException if there is no Python for the rows that need it
     */
    public List<Row> allRows(Manifest manifest) throws IOException, InterruptedException {
        List<Row> rows = new ArrayList<>(rows(manifest));
        if (!kitTasks().isEmpty()) {
            try (PythonKit kit = PythonKit.open(manifest.folder())) {
                rows.addAll(selected(kit.rows(kitTasks())));
            }
        }
        return rows;
    }

    private List<Row> selected(List<Row> rows) {
        return rows.stream()
                .filter(r -> tags.isEmpty() || r.tags().stream().anyMatch(tags::contains))
                .filter(r -> r.tags().stream().noneMatch(withoutTags::contains))
                .toList();
    }

    /** Returns the tasks other than reading, in the order of their rows. Programs in Python judge these rows. */
    private List<Task> kitTasks() {
        return tasks.stream().filter(t -> t != Task.READING).sorted().toList();
    }

    /**
     * Runs the tool on all rows. The listener receives outcomes on the calling thread: for {@link Task#READING} when a
     * row ends, in any order, then those of the other tasks together, when all of these have ended.
     *
     * @throws IOException if the tool cannot be started
     */
    public ConformanceResult run(Manifest manifest, Consumer<Outcome> listener)
            throws IOException, InterruptedException {
        List<Outcome> outcomes = new ArrayList<>(read(manifest, listener));
        if (!kitTasks().isEmpty()) {
            List<Outcome> judged = askKit(manifest);
            judged.forEach(listener);
            outcomes.addAll(judged);
        }
        return new ConformanceResult(command.toString(), manifest.folder(), outcomes);
    }

    /** Runs the rows of the other tasks by the Python programs, which judge them. */
    private List<Outcome> askKit(Manifest manifest) throws IOException, InterruptedException {
        if (!command.isBatch()) {
            throw new IOException("rows of writing and partial reading need a batch tool");
        }
        try (PythonKit kit = PythonKit.open(manifest.folder())) {
            List<Row> rows = selected(kit.rows(kitTasks()));
            return rows.isEmpty() ? List.of() : kit.run(kitTasks(), rows, kitOptions());
        }
    }

    private List<String> kitOptions() {
        List<String> options = new ArrayList<>(List.of("--batch", command.toString()));
        readers.forEach(reader -> options.addAll(List.of("--reader", reader.toString())));
        options.addAll(
                List.of("--timeout", String.valueOf(timeout.toMillis() / 1000.0), "--jobs", String.valueOf(jobs)));
        options.addAll(List.of("--tags", String.join(",", tags), "--without-tags", String.join(",", withoutTags)));
        return options;
    }

    /** Runs the rows of reading; returns their outcomes in the order of the rows. */
    private List<Outcome> read(Manifest manifest, Consumer<Outcome> listener) throws IOException, InterruptedException {
        List<Row> rows = rows(manifest);
        Path work = Files.createTempDirectory("shardkit-conformance").toRealPath();
        List<RowTool> tools = Stream.generate(this::tool).limit(jobs).toList();
        ExecutorService threads = Executors.newFixedThreadPool(jobs);
        try {
            Checksums checksums = Checksums.read(manifest.folder());
            BlockingQueue<RowTool> idle = new ArrayBlockingQueue<>(jobs, false, tools);
            ToolRunner runner = new ToolRunner(idle, checksums, command.takesSelection(), timeout, memory);
            return collect(rows, work, threads, runner, listener);
        } finally {
            threads.shutdownNow();
            threads.awaitTermination(1, TimeUnit.MINUTES);
            tools.forEach(RowTool::close);
            Fixtures.delete(work);
        }
    }

    private RowTool tool() {
        return command.isBatch() ? new BatchTool(command) : new CommandTool(command);
    }

    /** Asks for all rows. The listener hears of each outcome when its row ends; the list has the order of the rows. */
    private static List<Outcome> collect(
            List<Row> rows, Path work, ExecutorService threads, ToolRunner runner, Consumer<Outcome> listener)
            throws IOException, InterruptedException {
        ExecutorCompletionService<Outcome> ended = new ExecutorCompletionService<>(threads);
        List<Future<Outcome>> inOrder = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            Path own = work.resolve(String.valueOf(i));
            inOrder.add(ended.submit(() -> runner.ask(row, own)));
        }
        for (int i = 0; i < rows.size(); i++) {
            listener.accept(outcome(ended.take()));
        }
        List<Outcome> outcomes = new ArrayList<>();
        for (Future<Outcome> f : inOrder) {
            outcomes.add(outcome(f));
        }
        return outcomes;
    }

    private static Outcome outcome(Future<Outcome> ended) throws IOException, InterruptedException {
        try {
            return ended.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException io) {
                throw io;
            }
            throw new IllegalStateException(e.getCause());
        }
    }
}
