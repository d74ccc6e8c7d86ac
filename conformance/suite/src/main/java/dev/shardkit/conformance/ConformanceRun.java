package dev.shardkit.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A run of one tool over the rows of a manifest. Immutable; {@link #of} takes all rows, a minute for each and one tool
 * at a time.
 */
public final class ConformanceRun {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);

    private final CommandTemplate command;
    private final Set<String> tags;
    private final Set<String> withoutTags;
    private final Duration timeout;
    private final int jobs;

    private ConformanceRun(
            CommandTemplate command, Set<String> tags, Set<String> withoutTags, Duration timeout, int jobs) {
        this.command = command;
        this.tags = Set.copyOf(tags);
        this.withoutTags = Set.copyOf(withoutTags);
        this.timeout = timeout;
        this.jobs = jobs;
    }

    /** A run of {@code command}. */
    public static ConformanceRun of(CommandTemplate command) {
        return new ConformanceRun(command, Set.of(), Set.of(), DEFAULT_TIMEOUT, 1);
    }

    /** Only rows with one of these tags; none: all rows. */
    public ConformanceRun withTags(Set<String> tags) {
        return new ConformanceRun(command, tags, withoutTags, timeout, jobs);
    }

    /** Only rows with none of these tags. */
    public ConformanceRun withoutTags(Set<String> tags) {
        return new ConformanceRun(command, this.tags, tags, timeout, jobs);
    }

    /** Another time limit for each row. */
    public ConformanceRun withTimeout(Duration timeout) {
        return new ConformanceRun(command, tags, withoutTags, timeout, jobs);
    }

    /** So many tools at a time. */
    public ConformanceRun withJobs(int jobs) {
        return new ConformanceRun(command, tags, withoutTags, timeout, jobs);
    }

    /** The rows that it is about. */
    public List<Row> rows(Manifest manifest) {
        return manifest.rows().stream()
                .filter(r -> tags.isEmpty() || r.tags().stream().anyMatch(tags::contains))
                .filter(r -> r.tags().stream().noneMatch(withoutTags::contains))
                .toList();
    }

    /**
     * Asks the tool about all rows. The listener hears of each as it ends, in any order and on the calling thread.
     *
     * @throws IOException if the tool cannot be started, or a fixture is not there
     */
    public ConformanceResult run(Manifest manifest, Consumer<Outcome> listener)
            throws IOException, InterruptedException {
        List<Row> rows = rows(manifest);
        Path work = Files.createTempDirectory("shardkit-conformance").toRealPath();
        ExecutorService threads = Executors.newFixedThreadPool(jobs);
        try {
            return new ConformanceResult(command.toString(), manifest.folder(), collect(rows, work, threads, listener));
        } finally {
            threads.shutdownNow();
            threads.awaitTermination(1, TimeUnit.MINUTES);
            Fixtures.delete(work);
        }
    }

    private List<Outcome> collect(List<Row> rows, Path work, ExecutorService threads, Consumer<Outcome> listener)
            throws IOException, InterruptedException {
        ExecutorCompletionService<Outcome> ended = new ExecutorCompletionService<>(threads);
        List<Future<Outcome>> inOrder = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            Path own = work.resolve(String.valueOf(i));
            inOrder.add(ended.submit(() -> ask(row, own)));
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

    private Outcome ask(Row row, Path work) throws IOException, InterruptedException {
        Optional<String> reason = row.unasked();
        if (reason.isEmpty() && row.selection().isPresent() && !command.takesSelection()) {
            reason = Optional.of("only a part is to be read, and the command has no {selection}");
        }
        if (reason.isPresent()) {
            return Outcome.skipped(row, reason.get());
        }
        Files.createDirectory(work);
        try {
            Path out = work.resolve("out");
            return judge(row, out, ToolProcess.run(command.command(row.folder(), out, row.selection()), timeout));
        } finally {
            Fixtures.delete(work);
        }
    }

    private Outcome judge(Row row, Path out, ToolProcess.Result result) throws IOException {
        Verdict verdict = Verdict.EQUAL;
        String detail = "";
        switch (result.end()) {
            case TIMEOUT -> {
                verdict = Verdict.TIMEOUT;
                detail = "no end within " + timeout.toSeconds() + " s";
            }
            case SIGNAL -> {
                verdict = Verdict.CRASH;
                detail = "exit status " + result.status();
            }
            case FAILURE -> {
                verdict = Verdict.REFUSED;
                detail = "exit status " + result.status();
            }
            case SUCCESS -> {
                if (row.kind() == Row.Kind.MALFORMED) {
                    verdict = row.isChoice() ? Verdict.ACCEPTED : Verdict.DIFFERENT;
                    detail = "success on a malformed array: " + row.special();
                } else {
                    Optional<String> difference =
                            Comparison.difference(out, row.expected().orElseThrow());
                    verdict = difference.isPresent() ? Verdict.DIFFERENT : Verdict.EQUAL;
                    detail = difference.orElse("");
                }
            }
        }
        return new Outcome(row, verdict, detail, result.output(), result.time());
    }
}
