/**
 * Plans: reads that are described but not performed, with sources and the bytes they return.
 *
 * <p>Codecs return a {@link dev.shardkit.spi.plan.Plan}; the engine performs its reads, merges neighbouring ones and
 * runs its steps on worker threads. That is why codecs need no I/O and no threads.
 */
@NullMarked
package dev.shardkit.spi.plan;

import org.jspecify.annotations.NullMarked;
