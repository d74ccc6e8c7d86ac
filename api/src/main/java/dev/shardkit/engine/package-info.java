/** Runs plans: the only package that knows threads. */
@NullMarked
package dev.shardkit.engine;

import org.jspecify.annotations.NullMarked;
