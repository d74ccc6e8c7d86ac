/**
 * Selections by labels and suspending reads for {@code dev.shardkit.cf}, whose module it needs at run time. Functions
 * for arrays and groups are in {@code dev.shardkit.kotlin}.
 */
@NullMarked
package dev.shardkit.kotlin.cf;

import org.jspecify.annotations.NullMarked;
