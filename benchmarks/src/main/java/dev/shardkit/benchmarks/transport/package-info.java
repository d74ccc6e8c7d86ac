/** Measures the cost of the HTTP clients behind the transport interface. */
@NullMarked
package dev.shardkit.benchmarks.transport;

import org.jspecify.annotations.NullMarked;
