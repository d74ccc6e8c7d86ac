/** Completes calls and releases locks after an OutOfMemoryError, with memory kept in reserve. */
@NullMarked
package dev.shardkit.memory;

import org.jspecify.annotations.NullMarked;
