/** What the HTTP clients behind the transport interface cost. */
@NullMarked
package dev.shardkit.benchmarks.transport;

import org.jspecify.annotations.NullMarked;
