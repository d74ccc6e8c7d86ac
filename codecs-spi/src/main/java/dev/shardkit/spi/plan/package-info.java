/** Reads that are described but not performed: plans, sources and the bytes they yield. */
@NullMarked
package dev.shardkit.spi.plan;

import org.jspecify.annotations.NullMarked;
