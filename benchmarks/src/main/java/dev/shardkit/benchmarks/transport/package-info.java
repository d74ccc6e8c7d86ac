/** A program that measures the cost of the HTTP clients behind the transport interface. Not for use as a library. */
@NullMarked
package dev.shardkit.benchmarks.transport;

import org.jspecify.annotations.NullMarked;
