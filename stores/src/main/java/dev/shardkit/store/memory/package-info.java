/** The memory store. */
@NullMarked
package dev.shardkit.store.memory;

import org.jspecify.annotations.NullMarked;
