package dev.shardkit.cli.print;

import dev.shardkit.maintenance.check.Verification.Summary;

/** The totals of a check as a line of text. Stateless. */
public final class VerificationText {
    private VerificationText() {}

    /** Returns the line. */
    public static String of(Summary s) {
        return NodeFacts.count(s.arrays(), "array") + ", " + NodeFacts.count(s.shards(), "shard")
                + (s.innerShards() > 0 ? " with " + NodeFacts.count(s.innerShards(), "inner shard") : "") + " with "
                + NodeFacts.count(s.innerChunks(), "inner chunk") + ", " + NodeFacts.count(s.chunks(), "chunk") + "; "
                + s.bytes() + " bytes, " + s.unusedBytes() + " of them unused; " + NodeFacts.count(s.errors(), "error")
                + ", "
                + NodeFacts.count(s.notes(), "note");
    }
}
