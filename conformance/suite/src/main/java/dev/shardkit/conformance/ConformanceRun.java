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
 * A run of one tool over the rows of a manifest. Immutable; {@link #of} selects all rows, with a minute for each, one
 * tool at a time.
 */
public final class ConformanceRun {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);
    private static final long DEFAULT_MEMORY = 256L << 20;

    private final CommandTemplate command;
    private final Set<String> tags;
    private final Set<String> withoutTags;
    private final Duration timeout;
    private final long memory;
    private final int jobs;

    private ConformanceRun(
            CommandTemplate command,
            Set<String> tags,
            Set<String> withoutTags,
            Duration timeout,
            long memory,
            int jobs) {
        this.command = command;
        this.tags = Set.copyOf(tags);
        this.withoutTags = Set.copyOf(withoutTags);
        this.timeout = timeout;
        this.memory = memory;
        this.jobs = jobs;
    }

    /** Creates a run of {@code command}. */
    public static ConformanceRun of(CommandTemplate command) {
        return new ConformanceRun(command, Set.of(), Set.of(), DEFAULT_TIMEOUT, DEFAULT_MEMORY, 1);
    }

    /** Returns a run of only the rows with one of these tags; an empty set selects all rows. */
    public ConformanceRun withTags(Set<String> tags) {
        return new ConformanceRun(command, tags, withoutTags, timeout, memory, jobs);
    }

    /** Returns a run of only the rows with none of these tags. */
    public ConformanceRun withoutTags(Set<String> tags) {
        return new ConformanceRun(command, this.tags, tags, timeout, memory, jobs);
    }

    /** Returns a run with another time limit for each row. */
    public ConformanceRun withTimeout(Duration timeout) {
        return new ConformanceRun(command, tags, withoutTags, timeout, memory, jobs);
    }

    /**
     * Returns a run with another limit in bytes on the memory that a malformed array may take before it is refused. For
     * a tool that runs once for each row, this includes the memory of its runtime.
     */
    public ConformanceRun withMemory(long bytes) {
        return new ConformanceRun(command, tags, withoutTags, timeout, bytes, jobs);
    }

    /** Returns a run with this number of concurrent tools. */
    public ConformanceRun withJobs(int jobs) {
        return new ConformanceRun(command, tags, withoutTags, timeout, memory, jobs);
    }

    /** Returns the selected rows. */
    public List<Row> rows(Manifest manifest) {
        return manifest.rows().stream()
                .filter(r -> tags.isEmpty() || r.tags().stream().anyMatch(tags::contains))
                .filter(r -> r.tags().stream().noneMatch(withoutTags::contains))
                .toList();
    }

    /**
     * Runs the tool on all rows. The listener receives each outcome when the row ends, in any order, on the calling
     * thread.
     *
     * @throws IOException if the tool cannot be started
     */
    public ConformanceResult run(Manifest manifest, Consumer<Outcome> listener)
            throws IOException, InterruptedException {
        List<Row> rows = rows(manifest);
        Path work = Files.createTempDirectory("shardkit-conformance").toRealPath();
        List<RowTool> tools = Stream.generate(this::tool).limit(jobs).toList();
        ExecutorService threads = Executors.newFixedThreadPool(jobs);
        try {
            Checksums checksums = Checksums.read(manifest.folder());
            BlockingQueue<RowTool> idle = new ArrayBlockingQueue<>(jobs, false, tools);
            Asking asking = new Asking(idle, checksums, command.takesSelection(), timeout, memory);
            return new ConformanceResult(
                    command.toString(), manifest.folder(), collect(rows, work, threads, asking, listener));
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

    private static List<Outcome> collect(
            List<Row> rows, Path work, ExecutorService threads, Asking asking, Consumer<Outcome> listener)
            throws IOException, InterruptedException {
        ExecutorCompletionService<Outcome> ended = new ExecutorCompletionService<>(threads);
        List<Future<Outcome>> inOrder = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            Path own = work.resolve(String.valueOf(i));
            inOrder.add(ended.submit(() -> asking.ask(row, own)));
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
