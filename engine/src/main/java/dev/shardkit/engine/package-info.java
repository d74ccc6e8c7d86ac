/**
 * Runs plans. Has all threads except those of HTTP transports: {@link dev.shardkit.engine.Execution} is one run and
 * defines its lock; {@link dev.shardkit.engine.Workers} has the threads. Not exported.
 */
@NullMarked
package dev.shardkit.engine;

import org.jspecify.annotations.NullMarked;
