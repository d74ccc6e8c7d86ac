package dev.shardkit.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;

/**
 * Runs a tool on the rows of the manifests and judges its answers. Thread-safe.
 *
 * @param idle the tools that are not running; each call takes one and puts it back
 * @param checksums the checksums of the fixtures
 * @param takesSelection whether the tool can read a part of an array
 * @param timeout the limit for each row
 * @param memory the memory in bytes that the tool may take for a malformed row
 */
record ToolRunner(
        BlockingQueue<RowTool> idle, Checksums checksums, boolean takesSelection, Duration timeout, long memory) {
    /**
     * The kinds of fault that a tool may name when it refuses an array. Other words are not compared. The word
     * {@code data} stands for all kinds except {@code metadata} and {@code unsupported}.
     */
    private static final Set<String> FAULTS =
            Set.of("metadata", "unsupported", "index", "checksum", "truncated", "codec", "bomb");

    private static final String ANY_DATA = "data";
    private static final Set<String> NO_DATA = Set.of("metadata", "unsupported");

    /** Runs a tool on a row; {@code work} is a folder for it, which this method creates and deletes. */
    Outcome ask(Row row, Path work) throws IOException, InterruptedException {
        Optional<String> reason = row.unasked();
        if (reason.isEmpty() && row.selection().isPresent() && !takesSelection) {
            reason = Optional.of("only a part is to be read, and the command has no {selection}");
        }
        if (reason.isPresent()) {
            return Outcome.unasked(row, Verdict.SKIPPED, reason.get());
        }
        Optional<String> damage = checksums.damage(row);
        if (damage.isPresent()) {
            return Outcome.unasked(row, Verdict.DAMAGED, damage.get());
        }
        Files.createDirectory(work);
        RowTool tool = idle.take();
        try {
            RowLimits limits = RowLimits.of(row, work.resolve("out"), timeout, memory);
            return checkedFixtures(judge(row, limits, tool.ask(row, limits)));
        } finally {
            idle.add(tool);
            Fixtures.delete(work);
        }
    }

    /** Returns the outcome for a tool's answer, after comparing its values or its kind of fault with the expected. */
    private Outcome judge(Row row, RowLimits limits, ToolResult answer) throws IOException {
        Verdict verdict =
                switch (answer.end()) {
                    case VALUES -> Verdict.EQUAL;
                    case REFUSED -> Verdict.REFUSED;
                    case CRASH -> Verdict.CRASH;
                    case TIMEOUT -> Verdict.TIMEOUT;
                    case FLOOD -> Verdict.DIFFERENT;
                    case COSTLY -> Verdict.COSTLY;
                    case GIVEN_UP -> Verdict.SKIPPED;
                };
        String detail = answer.detail();
        if (verdict == Verdict.EQUAL && row.kind() == Row.Kind.MALFORMED) {
            verdict = row.isChoice() ? Verdict.ACCEPTED : Verdict.DIFFERENT;
            detail = joined("success on a malformed array: " + row.special(), detail);
        } else if (verdict == Verdict.EQUAL) {
            Optional<String> difference =
                    OutputComparison.difference(limits.file(), row.expected().orElseThrow());
            verdict = difference.isPresent() ? Verdict.DIFFERENT : Verdict.EQUAL;
            detail = joined(difference.orElse(""), detail);
        } else if (verdict == Verdict.REFUSED && namesWrongFault(row, answer)) {
            verdict = Verdict.MISNAMED;
            detail = joined(
                    "named \"" + answer.fault().orElseThrow() + "\", expected one of "
                            + row.refusal().orElseThrow().faults().stream()
                                    .sorted()
                                    .toList(),
                    detail);
        }
        if (!verdict.isFailure() && limits.isLarger(answer.memory())) {
            verdict = Verdict.COSTLY;
            detail = joined(limits.detail(ToolResult.End.COSTLY), detail);
        }
        return new Outcome(row, verdict, detail, answer.output(), answer.time(), answer.memory());
    }

    /** Checks that the tool has not changed the fixtures. If it has, it is wrong, regardless of its answer. */
    private Outcome checkedFixtures(Outcome o) {
        Optional<String> damage = checksums.damage(o.row());
        if (damage.isEmpty()) {
            return o;
        }
        String detail = joined("the tool changed the fixtures: " + damage.get(), o.detail());
        return new Outcome(o.row(), Verdict.DIFFERENT, detail, o.output(), o.time(), o.memory());
    }

    /** Joins two parts of a detail, each of which may be empty. */
    private static String joined(String first, String second) {
        return first.isEmpty() || second.isEmpty() ? first + second : first + "; " + second;
    }

    /** Returns whether the tool named a kind of fault other than those that match the row. */
    private static boolean namesWrongFault(Row row, ToolResult answer) {
        Set<String> matching = row.refusal().map(Row.Refusal::faults).orElse(Set.of());
        String named = answer.fault().orElse("");
        if (named.equals(ANY_DATA)) {
            return !matching.isEmpty() && NO_DATA.containsAll(matching);
        }
        return !matching.isEmpty() && FAULTS.contains(named) && !matching.contains(named);
    }
}
