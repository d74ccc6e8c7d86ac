/**
 * Errors of the engine: adds the location to failures, and passes exceptions of callers' own code through unchanged.
 * Runs, changes and threads have packages of their own.
 */
@NullMarked
package dev.shardkit.engine.error;

import org.jspecify.annotations.NullMarked;
