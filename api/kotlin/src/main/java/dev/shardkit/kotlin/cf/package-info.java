/** Selections by labels and suspending reads for {@code dev.shardkit.cf}, whose module it needs at run time. */
@NullMarked
package dev.shardkit.kotlin.cf;

import org.jspecify.annotations.NullMarked;
