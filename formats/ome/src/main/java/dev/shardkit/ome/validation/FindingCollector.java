package dev.shardkit.ome.validation;

import java.util.ArrayList;
import java.util.List;

/** Collects the findings of a validation, up to a thousand. Used by one thread. */
final class FindingCollector {
    private static final int MAX_FINDINGS = 1000;

    private final List<OmeFinding> items = new ArrayList<>();

    void addError(String node, String member, String expected, String found) {
        add(OmeFinding.Severity.ERROR, node, member, expected, found);
    }

    void addWarning(String node, String member, String expected, String found) {
        add(OmeFinding.Severity.WARNING, node, member, expected, found);
    }

    private void add(OmeFinding.Severity severity, String node, String member, String expected, String found) {
        if (items.size() < MAX_FINDINGS) {
            items.add(new OmeFinding(severity, node, member, expected, found));
        }
    }

    boolean isFull() {
        return items.size() >= MAX_FINDINGS;
    }

    /** Returns the number of errors of a node. */
    long errorCount(String node) {
        return items.stream()
                .filter(finding -> finding.severity() == OmeFinding.Severity.ERROR
                        && finding.node().equals(node))
                .count();
    }

    List<OmeFinding> items() {
        return List.copyOf(items);
    }
}
