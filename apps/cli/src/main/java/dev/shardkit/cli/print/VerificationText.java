package dev.shardkit.cli.print;

import dev.shardkit.maintenance.check.Verification.Summary;

/** Formats the totals of a verification as a line of text. Stateless. */
public final class VerificationText {
    private VerificationText() {}

    /** Returns the line of text. */
    public static String toLine(Summary summary) {
        return NodeText.count(summary.arrays(), "array") + ", " + NodeText.count(summary.shards(), "shard")
                + (summary.innerShards() > 0 ? " with " + NodeText.count(summary.innerShards(), "inner shard") : "")
                + " with "
                + NodeText.count(summary.innerChunks(), "inner chunk") + ", "
                + NodeText.count(summary.chunks(), "chunk") + "; "
                + summary.bytes() + " bytes, " + summary.unusedBytes() + " of them unused; "
                + NodeText.count(summary.errors(), "error")
                + ", "
                + NodeText.count(summary.notes(), "note");
    }
}
