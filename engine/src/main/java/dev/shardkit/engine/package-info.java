/**
 * What all packages of the engine share: how failures get their place, and how the exceptions of callers' own code pass
 * through unchanged. Runs, changes and threads have packages of their own.
 */
@NullMarked
package dev.shardkit.engine;

import org.jspecify.annotations.NullMarked;
