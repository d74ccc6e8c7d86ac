/**
 * The {@code sharding} storage transformer (editor's draft of February 2022), the one before the codec
 * {@code sharding_indexed}: chunk keys become slices of shards.
 */
@NullMarked
package dev.shardkit.transformer.sharding;

import org.jspecify.annotations.NullMarked;
