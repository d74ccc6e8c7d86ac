/** The {@code shardkit} command. */
@NullMarked
package dev.shardkit.cli;

import org.jspecify.annotations.NullMarked;
