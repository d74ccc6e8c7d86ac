/**
 * What the callers of stores choose: how durable a write is, whether other writers share an array, how much a read
 * fetches, how missing chunks and symbolic links are treated. {@code ZarrOptions} holds most of them. The interfaces of
 * stores are in {@link dev.shardkit.store}.
 */
@NullMarked
package dev.shardkit.store.policy;

import org.jspecify.annotations.NullMarked;
