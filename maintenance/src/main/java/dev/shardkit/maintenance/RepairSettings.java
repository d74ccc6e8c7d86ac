package dev.shardkit.maintenance;

import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.store.Store;
import org.jspecify.annotations.Nullable;

/** The settings of a repair. Immutable. */
record RepairSettings(
        Damaged damaged, WritePolicy policy, @Nullable Store backup, Progress progress) {
    /** The treatment of chunks and inner chunks that do not decode. */
    enum Damaged {
        STAYS,
        GOES,
        GOES_WITH_LOST_SHARDS
    }
}
