/**
 * Runs plans. The only package that knows threads: {@link dev.shardkit.engine.Execution} is one run and names its lock,
 * {@link dev.shardkit.engine.Workers} has the threads. Not exported.
 */
@NullMarked
package dev.shardkit.engine;

import org.jspecify.annotations.NullMarked;
