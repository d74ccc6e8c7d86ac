package dev.shardkit.maintenance.check;

import dev.shardkit.maintenance.check.Finding.Kind;
import dev.shardkit.maintenance.check.Finding.Severity;
import dev.shardkit.spi.error.CorruptDataException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The result of a check: the counts and findings of an inner chunk, a shard or an array. Mutable, because results of
 * parts are added up. Used by one thread at a time.
 */
final class CheckResult {
    /** Limits the memory for findings of a shard with a corrupt index. */
    private static final int MAX_FINDINGS = 10_000;

    private final List<Finding> findings = new ArrayList<>(0);
    long errors;
    long notes;
    long shards;
    long innerShards;
    long innerChunks;
    long chunks;
    long bytes;
    long unused;

    /** Returns an empty result. */
    static CheckResult empty() {
        return new CheckResult();
    }

    /** Returns the result for a chunk that is neither a shard nor inside one. */
    static CheckResult chunk(long bytes) {
        CheckResult result = new CheckResult();
        result.chunks = 1;
        result.bytes = bytes;
        return result;
    }

    /** Returns the result for an innermost inner chunk. Its bytes count for its shard. */
    static CheckResult innerChunk() {
        CheckResult result = new CheckResult();
        result.innerChunks = 1;
        return result;
    }

    /** Returns the result for a shard that is a stored object. */
    static CheckResult shard(long bytes) {
        CheckResult result = new CheckResult();
        result.shards = 1;
        result.bytes = bytes;
        return result;
    }

    /** Returns the result for a shard that is an inner chunk. */
    static CheckResult innerShard() {
        CheckResult result = new CheckResult();
        result.innerShards = 1;
        return result;
    }

    /** Counts more unused bytes: bytes of a shard that belong to no index entry. */
    void unused(long more) {
        unused += more;
    }

    /** Returns the number of unused bytes. */
    long unused() {
        return unused;
    }

    /** Returns the total size of the stored objects. */
    long bytes() {
        return bytes;
    }

    /** Throws an exception for the first error, if there is one. */
    void refuseErrors() {
        if (errors > 0) {
            Finding first = findings().stream()
                    .filter(finding -> finding.severity() == Severity.ERROR)
                    .findFirst()
                    .orElseThrow();
            throw (CorruptDataException) new CorruptDataException(
                            "the shard is damaged: expected " + first.expected() + ", found " + first.found())
                    .locate(Optional.empty(), first.location(), Optional.empty());
        }
    }

    /** Adds a finding. */
    CheckResult add(Finding finding) {
        count(finding.severity());
        if (findings.size() < MAX_FINDINGS) {
            findings.add(finding);
        }
        return this;
    }

    /** Counts a finding that is reported elsewhere. */
    void count(Severity severity) {
        if (severity == Severity.ERROR) {
            errors++;
        } else {
            notes++;
        }
    }

    /** Adds another result. */
    void add(CheckResult other) {
        addCounts(other);
        other.findings.stream().limit(MAX_FINDINGS - findings.size()).forEach(findings::add);
    }

    /** Adds the counts of another result without its findings. */
    void addCounts(CheckResult other) {
        errors += other.errors;
        notes += other.notes;
        shards += other.shards;
        innerShards += other.innerShards;
        innerChunks += other.innerChunks;
        chunks += other.chunks;
        bytes += other.bytes;
        unused += other.unused;
    }

    /** Returns the findings, ordered by inner chunk and offset. */
    List<Finding> findings() {
        List<Finding> sorted = new ArrayList<>(findings);
        sorted.sort(Comparator.comparing(Finding::innerChunks, CheckResult::compare)
                .thenComparing(f -> f.bytes().map(b -> b.offset()).orElse(-1L)));
        long more = errors + notes - findings.size();
        if (more > 0) {
            Finding last = findings.get(findings.size() - 1);
            sorted.add(new Finding(
                    errors > 0 ? Severity.ERROR : Severity.NOTE,
                    Kind.MORE,
                    last.node(),
                    last.location(),
                    Optional.empty(),
                    "at most " + MAX_FINDINGS + " findings in one object",
                    more + " more"));
        }
        return sorted;
    }

    /** Compares the cells of nested inner chunks, outermost level first. */
    private static int compare(List<long[]> a, List<long[]> b) {
        for (int level = 0; level < Math.min(a.size(), b.size()); level++) {
            int order = java.util.Arrays.compare(a.get(level), b.get(level));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(a.size(), b.size());
    }
}
