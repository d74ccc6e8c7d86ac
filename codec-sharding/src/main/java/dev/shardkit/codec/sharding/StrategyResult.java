package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.Edit;

/** The result of trying one strategy for writing a shard. */
sealed interface StrategyResult {
    /** The strategy applies. */
    record Applied(Edit edit) implements StrategyResult {}

    /** The strategy does not apply. */
    record Declined(String reason) implements StrategyResult {}
}
