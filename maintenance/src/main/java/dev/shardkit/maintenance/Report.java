package dev.shardkit.maintenance;

import java.util.function.Consumer;

/** Hands findings over and counts. Not thread-safe. */
final class Report {
    private final Consumer<? super Finding> findings;
    private final Tally all = Tally.none();

    Report(Consumer<? super Finding> findings) {
        this.findings = findings;
    }

    /** One finding. */
    void tell(Finding finding) {
        all.count(finding.severity());
        findings.accept(finding);
    }

    /** All of one object. */
    void tell(Tally object) {
        all.addCounts(object);
        object.findings().forEach(findings);
    }

    /** The counts. */
    Verification.Summary summary(long arrays) {
        return all.summary(arrays);
    }
}
