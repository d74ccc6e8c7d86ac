package dev.shardkit.maintenance.check;

import dev.shardkit.spi.codec.ChunkCodec;

/** Decides which findings a repair can resolve by removing the damaged data. Stateless. */
final class RemovableFindings {
    private RemovableFindings() {}

    /** Returns advice on how to remove a fault that remains. */
    static String remedy(Finding f, ChunkCodec codec) {
        boolean lost = isLostShard(f);
        return lost || isRemovable(f, codec)
                ? "; "
                        + (lost
                                ? "Repair.droppingCorruptShards keeps the inner chunks that can be recovered and replaces the"
                                        + " others by the fill value"
                                : "Repair.droppingCorruptChunks replaces it by the fill value")
                : "";
    }

    static boolean isRemovable(Finding f, ChunkCodec codec) {
        boolean inside = codec.shardAccess().isPresent();
        return switch (f.kind()) {
            case ENTRY, INDEX -> !f.innerChunks().isEmpty();
            case CHUNK, CHECKSUM -> inside != f.innerChunks().isEmpty();
            default -> false;
        };
    }

    static boolean isLostShard(Finding f) {
        return f.kind() == Finding.Kind.INDEX && f.innerChunks().isEmpty();
    }
}
