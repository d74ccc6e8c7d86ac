/** The timer of all remote stores. For shardkit's own transports and stores only. */
@NullMarked
package dev.shardkit.transport.timer;

import org.jspecify.annotations.NullMarked;
