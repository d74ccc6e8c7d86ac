package dev.shardkit.maintenance.check;

import dev.shardkit.spi.codec.ChunkCodec;

/** Decides which findings a {@link Repair} can resolve by removing damaged data. Stateless. */
final class RemovableFindings {
    private RemovableFindings() {}

    /** Returns the end of a message: which setting removes a fault that remains. Empty if no setting does. */
    static String remedy(Finding finding, ChunkCodec codec) {
        if (isLostShard(finding)) {
            return "; Repair.droppingCorruptShards keeps the inner chunks that can be recovered and replaces the"
                    + " others by the fill value";
        }
        return isRemovable(finding, codec) ? "; Repair.droppingCorruptChunks replaces it by the fill value" : "";
    }

    /** Returns whether the finding concerns a single chunk or inner chunk, which can be removed. */
    static boolean isRemovable(Finding finding, ChunkCodec codec) {
        boolean isShard = codec.shardAccess().isPresent();
        boolean isInside = !finding.innerChunks().isEmpty();
        return switch (finding.kind()) {
            case ENTRY, INDEX -> isInside;
            case CHUNK, CHECKSUM -> isShard == isInside;
            default -> false;
        };
    }

    /** Returns whether the index of a stored shard cannot be decoded. */
    static boolean isLostShard(Finding finding) {
        return finding.kind() == Finding.Kind.INDEX && finding.innerChunks().isEmpty();
    }
}
