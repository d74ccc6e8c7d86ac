/** Memory for the end of calls when the heap is full. */
@NullMarked
package dev.shardkit.memory;

import org.jspecify.annotations.NullMarked;
