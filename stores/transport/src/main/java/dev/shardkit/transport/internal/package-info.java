/** Threads, timers and shared clients of HTTP transports. For shardkit's own transports and stores only. */
@NullMarked
package dev.shardkit.transport.internal;

import org.jspecify.annotations.NullMarked;
