/**
 * The {@code shardkit} command: commands, options, printing. What the commands do to arrays is in the modules below.
 */
@NullMarked
package dev.shardkit.cli;

import org.jspecify.annotations.NullMarked;
