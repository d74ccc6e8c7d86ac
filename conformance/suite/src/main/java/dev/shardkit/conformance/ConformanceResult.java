package dev.shardkit.conformance;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What came of a run. Immutable.
 *
 * @param command the tool's command line
 * @param fixtures the folder of the manifests
 * @param outcomes one for each row, in the manifests' order
 */
public record ConformanceResult(String command, Path fixtures, List<Outcome> outcomes) {
    /** Takes a copy of {@code outcomes}. */
    public ConformanceResult {
        outcomes = List.copyOf(outcomes);
    }

    /** How often each verdict was given to sound arrays. */
    public Map<Verdict, Integer> sound() {
        return counts(o -> o.row().kind() != Row.Kind.MALFORMED);
    }

    /** How often each verdict was given to malformed arrays. */
    public Map<Verdict, Integer> malformed() {
        return counts(o -> o.row().kind() == Row.Kind.MALFORMED);
    }

    /** How often each verdict was given to the rows of each tag. */
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
     * Whether all sound arrays that were asked about were read, and all malformed ones refused for their own reason.
     */
    public boolean isStrictlyGood() {
        return isGood() && sound().get(Verdict.REFUSED) == 0 && malformed().get(Verdict.MISNAMED) == 0;
    }

    /** The run in one line. */
    public String summary() {
        return TextReport.verdict(this);
    }

    /** How many rows failed: wrong values, crashes, time-outs. Refusing sound arrays is no failure, only counted. */
    public long failures() {
        return outcomes.stream().filter(o -> o.verdict().isFailure()).count();
    }

    /**
     * Whether the run is good: no failure, and where sound arrays were asked for, at least one was read. A tool that
     * refuses everything has shown nothing.
     */
    public boolean isGood() {
        Map<Verdict, Integer> sound = sound();
        boolean nothingRead = sound.get(Verdict.EQUAL) == 0 && sound.get(Verdict.REFUSED) > 0;
        return failures() == 0 && !nothingRead;
    }
}
