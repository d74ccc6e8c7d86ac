/** Reads of a region, and the groups of inner chunks that are read together. Not exported to users. */
@NullMarked
package dev.shardkit.region.read;

import org.jspecify.annotations.NullMarked;
