/**
 * The threads of the engine, and what decides who uses them: executors, permits, budgets, the futures of calls, and the
 * calls of callers' code. All threads except those of transports, the Hadoop store and the server are here. Knows
 * nothing of plans that run and of stored objects.
 */
@NullMarked
package dev.shardkit.engine.threads;

import org.jspecify.annotations.NullMarked;
