package dev.shardkit.crash;

import java.util.ArrayList;
import java.util.List;

/** What crashes did, counted. Not thread-safe. */
final class Tally {
    private static final int KEPT = 20;

    private final List<String> problems = new ArrayList<>();
    private int kills;
    private int arrays;
    private long commits;
    private int oldStays;
    private int newIsThere;
    private int mixed;
    private int torn;
    private int lost;
    private int halves;
    private int errors;
    private int recovered;

    /** A writer was killed. */
    void killed() {
        kills++;
    }

    /** A write returned. */
    void committed() {
        commits++;
    }

    /** A crash was found and ended. */
    void recovered() {
        recovered++;
    }

    /** An array was looked at after a crash: how many inner chunks of the write under way were old, how many new. */
    void ended(int before, int after) {
        arrays++;
        oldStays += before > 0 && after == 0 ? 1 : 0;
        newIsThere += after > 0 && before == 0 ? 1 : 0;
        mixed += after > 0 && before > 0 ? 1 : 0;
    }

    /** An inner chunk is neither old nor new. */
    void broken(boolean underway, String what) {
        torn += underway ? 1 : 0;
        lost += underway ? 0 : 1;
        note((underway ? "torn: " : "lost: ") + what);
    }

    /** A shard has some of a write, and not all of it. */
    void half(String what) {
        halves++;
        note("half: " + what);
    }

    /** An array could not be read or written after a crash. */
    void failed(String what) {
        arrays++;
        errors++;
        note("error: " + what);
    }

    /** Something stayed behind. */
    void leftover(String what) {
        errors++;
        note("left: " + what);
    }

    private void note(String what) {
        if (problems.size() < KEPT) {
            problems.add(what);
        }
    }

    /** How often the harness killed. */
    int kills() {
        return kills;
    }

    /** How many writes returned. */
    long commits() {
        return commits;
    }

    /** How many inner chunks were neither old nor new, and shards both. */
    int broken() {
        return torn + lost + halves;
    }

    /** How many arrays could not be used any more. */
    int errors() {
        return errors;
    }

    /** What went wrong, the first of it. */
    List<String> problems() {
        return List.copyOf(problems);
    }

    @Override
    public String toString() {
        return kills + " kills, " + arrays + " arrays looked at, " + commits + " committed writes; cut short: "
                + oldStays
                + " old, " + newIsThere + " new, " + mixed + " with shards of both; " + recovered
                + " recoveries; torn " + torn + ", lost " + lost + ", shards with half of a write " + halves
                + ", errors " + errors;
    }
}
