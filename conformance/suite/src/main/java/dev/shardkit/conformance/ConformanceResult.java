package dev.shardkit.conformance;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The result of a run: a tool was asked to read all arrays of the fixtures. Immutable.
 *
 * @param command the tool's command line
 * @param fixtures the folder of the manifests
 * @param outcomes the outcome of each row, in the manifests' order
 */
public record ConformanceResult(String command, Path fixtures, List<Outcome> outcomes) {
    /** Copies {@code outcomes}. */
    public ConformanceResult {
        outcomes = List.copyOf(outcomes);
    }

    /** Returns the number of rows with valid ("sound") arrays, by verdict. */
    public Map<Verdict, Integer> sound() {
        return counts(o -> o.row().kind().isSound());
    }

    /** Returns the number of rows with malformed arrays or faults over HTTP, by verdict. */
    public Map<Verdict, Integer> malformed() {
        return counts(o -> !o.row().kind().isSound());
    }

    /** Returns the number of rows by tag and verdict. */
    public SortedMap<String, Map<Verdict, Integer>> byTag() {
        SortedMap<String, Map<Verdict, Integer>> tags = new TreeMap<>();
        for (Outcome o : outcomes) {
            for (String tag : o.row().tags()) {
                tags.computeIfAbsent(tag, t -> counts(x -> x.row().tags().contains(t)));
            }
        }
        return tags;
    }

    private Map<Verdict, Integer> counts(Predicate<Outcome> which) {
        Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
        for (Verdict v : Verdict.values()) {
            counts.put(v, (int) outcomes.stream()
                    .filter(which)
                    .filter(o -> o.verdict() == v)
                    .count());
        }
        return counts;
    }

    /**
     * Returns whether the tool read all requested valid arrays, and refused all malformed arrays for the right reason.
     */
    public boolean isStrictlyGood() {
        return isGood() && sound().get(Verdict.REFUSED) == 0 && malformed().get(Verdict.MISNAMED) == 0;
    }

    /** Returns a summary in one line. */
    public String summary() {
        return TextReport.verdict(this);
    }

    /**
     * Returns the number of failures: wrong values, crashes, time-outs. Refused valid arrays are not failures; they are
     * only counted.
     */
    public long failures() {
        return outcomes.stream().filter(o -> o.verdict().isFailure()).count();
    }

    /**
     * Returns whether the run has no failure, and the tool read at least one valid array if any was requested. A tool
     * that refuses everything proves nothing.
     */
    public boolean isGood() {
        Map<Verdict, Integer> sound = sound();
        boolean nothingRead = sound.get(Verdict.EQUAL) == 0 && sound.get(Verdict.REFUSED) > 0;
        return failures() == 0 && !nothingRead;
    }
}
