/**
 * The {@code sharding} storage transformer (editor's draft of February 2022), the predecessor of the codec
 * {@code sharding_indexed}. It maps chunk keys to slices of shards.
 */
@NullMarked
package dev.shardkit.transformer.sharding;

import org.jspecify.annotations.NullMarked;
