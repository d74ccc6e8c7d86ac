package dev.shardkit.maintenance;

import dev.shardkit.maintenance.Finding.Kind;
import dev.shardkit.maintenance.Finding.Severity;
import dev.shardkit.spi.error.CorruptDataException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What was counted and found, of an inner chunk, a shard, an array. Used by one thread at a time. */
final class Tally {
    /** An index of nothing but nonsense is no reason to run out of memory. */
    private static final int MOST_FINDINGS = 10_000;

    private final List<Finding> findings = new ArrayList<>(0);
    private long errors;
    private long notes;
    private long shards;
    private long innerShards;
    private long innerChunks;
    private long chunks;
    private long bytes;
    private long unused;

    /** Nothing yet. */
    static Tally none() {
        return new Tally();
    }

    /** A chunk that is no shard, nor lies in one. */
    static Tally chunk(long bytes) {
        Tally tally = new Tally();
        tally.chunks = 1;
        tally.bytes = bytes;
        return tally;
    }

    /** An innermost inner chunk; its bytes count with its shard's. */
    static Tally innerChunk() {
        Tally tally = new Tally();
        tally.innerChunks = 1;
        return tally;
    }

    /** A shard that is an object of its own. */
    static Tally shard(long bytes) {
        Tally tally = new Tally();
        tally.shards = 1;
        tally.bytes = bytes;
        return tally;
    }

    /** A shard that is an inner chunk. */
    static Tally innerShard() {
        Tally tally = new Tally();
        tally.innerShards = 1;
        return tally;
    }

    /** Counts bytes that no entry names. */
    void unused(long more) {
        unused += more;
    }

    /** The bytes that no entry names. */
    long unused() {
        return unused;
    }

    /** The bytes of the objects. */
    long bytes() {
        return bytes;
    }

    /** Fails with the first error, if there is one. */
    void refuseErrors() {
        if (errors > 0) {
            Finding first = findings().stream()
                    .filter(f -> f.severity() == Severity.ERROR)
                    .findFirst()
                    .orElseThrow();
            throw (CorruptDataException) new CorruptDataException(
                            "the shard is damaged: expected " + first.expected() + ", found " + first.found())
                    .locate(Optional.empty(), first.place(), Optional.empty());
        }
    }

    /** Adds a finding. */
    Tally add(Finding finding) {
        count(finding.severity());
        if (findings.size() < MOST_FINDINGS) {
            findings.add(finding);
        }
        return this;
    }

    /** Counts a finding that is told elsewhere. */
    void count(Severity severity) {
        if (severity == Severity.ERROR) {
            errors++;
        } else {
            notes++;
        }
    }

    /** Adds all of another one. */
    void add(Tally other) {
        addCounts(other);
        other.findings.stream().limit(MOST_FINDINGS - findings.size()).forEach(findings::add);
    }

    /** Adds what another one counted, without its findings. */
    void addCounts(Tally other) {
        errors += other.errors;
        notes += other.notes;
        shards += other.shards;
        innerShards += other.innerShards;
        innerChunks += other.innerChunks;
        chunks += other.chunks;
        bytes += other.bytes;
        unused += other.unused;
    }

    /** The findings by inner chunk and offset. */
    List<Finding> findings() {
        List<Finding> sorted = new ArrayList<>(findings);
        sorted.sort(Comparator.comparing(Finding::innerChunks, Tally::compare)
                .thenComparing(f -> f.bytes().map(b -> b.offset()).orElse(-1L)));
        long more = errors + notes - findings.size();
        if (more > 0) {
            Finding last = findings.get(findings.size() - 1);
            sorted.add(new Finding(
                    errors > 0 ? Severity.ERROR : Severity.NOTE,
                    Kind.MORE,
                    last.node(),
                    last.place(),
                    Optional.empty(),
                    "at most " + MOST_FINDINGS + " findings in one object",
                    more + " more"));
        }
        return sorted;
    }

    private static int compare(List<long[]> a, List<long[]> b) {
        for (int level = 0; level < Math.min(a.size(), b.size()); level++) {
            int order = java.util.Arrays.compare(a.get(level), b.get(level));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(a.size(), b.size());
    }

    /** The counts. */
    Verification.Summary summary(long arrays) {
        return new Verification.Summary(arrays, shards, innerShards, innerChunks, chunks, bytes, unused, errors, notes);
    }
}
