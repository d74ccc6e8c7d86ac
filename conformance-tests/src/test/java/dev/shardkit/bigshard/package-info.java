/** One very large shard, grown by slices with little memory; run on demand by {@code tools/big-shard.sh}. */
@NullMarked
package dev.shardkit.bigshard;

import org.jspecify.annotations.NullMarked;
