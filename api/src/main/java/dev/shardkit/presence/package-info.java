/** Finds the chunks that exist, and maintains an array's list of them. Not exported to users. */
@NullMarked
package dev.shardkit.presence;

import org.jspecify.annotations.NullMarked;
