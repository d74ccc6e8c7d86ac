/**
 * Runs of plans that read: their requests to near and far stores, the decoding of the answers, and the values that are
 * kept between runs. {@link dev.shardkit.engine.run.Execution} is one run and defines its lock. Changes of stored
 * objects are in {@code edit}, threads in {@code threads}.
 */
@NullMarked
package dev.shardkit.engine.run;

import org.jspecify.annotations.NullMarked;
