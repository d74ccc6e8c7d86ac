package dev.shardkit.ome;

import java.util.ArrayList;
import java.util.List;

/** Collects findings, up to a limit. Used by one thread. */
final class Findings {
    private static final int MAX = 1000;

    private final List<OmeFinding> list = new ArrayList<>();

    void error(String node, String member, String expected, String found) {
        add(OmeFinding.Severity.ERROR, node, member, expected, found);
    }

    void warning(String node, String member, String expected, String found) {
        add(OmeFinding.Severity.WARNING, node, member, expected, found);
    }

    private void add(OmeFinding.Severity severity, String node, String member, String expected, String found) {
        if (list.size() < MAX) {
            list.add(new OmeFinding(severity, node, member, expected, found));
        }
    }

    boolean isFull() {
        return list.size() >= MAX;
    }

    /** The number of errors of a node. */
    long errors(String node) {
        return list.stream()
                .filter(f ->
                        f.severity() == OmeFinding.Severity.ERROR && f.node().equals(node))
                .count();
    }

    List<OmeFinding> list() {
        return List.copyOf(list);
    }
}
