package dev.shardkit.maintenance.check;

import java.util.function.Consumer;

/** Reports and counts findings. Not thread-safe. */
final class FindingReport {
    private final Consumer<? super Finding> findings;
    private final CheckResult all = CheckResult.none();

    FindingReport(Consumer<? super Finding> findings) {
        this.findings = findings;
    }

    /** Reports one finding. */
    void tell(Finding finding) {
        all.count(finding.severity());
        findings.accept(finding);
    }

    /** Reports all findings of one object. */
    void tell(CheckResult object) {
        all.addCounts(object);
        object.findings().forEach(findings);
    }

    /** Returns the counts of all objects. */
    CheckResult all() {
        return all;
    }
}
