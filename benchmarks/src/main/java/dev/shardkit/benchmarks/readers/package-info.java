/** Programs that measure many readers of one array, and reads over a narrow link. Not for use as a library. */
@NullMarked
package dev.shardkit.benchmarks.readers;

import org.jspecify.annotations.NullMarked;
