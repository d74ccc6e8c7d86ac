package dev.shardkit.codec.sharding;

import dev.shardkit.spi.codec.Edit;

/** What came of trying to write a shard one way. */
sealed interface Attempt {
    /** It can be done. */
    record Made(Edit edit) implements Attempt {}

    /** It can't be done; says why. */
    record Declined(String why) implements Attempt {}
}
