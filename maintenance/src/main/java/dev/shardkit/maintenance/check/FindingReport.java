package dev.shardkit.maintenance.check;

import java.util.function.Consumer;

/** Passes the findings of a verification to the caller, and counts them. Not thread-safe. */
final class FindingReport {
    private final Consumer<? super Finding> findings;
    private final CheckResult totals = CheckResult.empty();

    FindingReport(Consumer<? super Finding> findings) {
        this.findings = findings;
    }

    /** Reports one finding. */
    void report(Finding finding) {
        totals.count(finding.severity());
        findings.accept(finding);
    }

    /** Reports all findings of one object. */
    void report(CheckResult object) {
        totals.addCounts(object);
        object.findings().forEach(findings);
    }

    /** Returns the counts of all objects. */
    CheckResult totals() {
        return totals;
    }
}
