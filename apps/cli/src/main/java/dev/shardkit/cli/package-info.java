/**
 * The {@code shardkit} command: what starts it, the list of commands, and those about the command itself. The others
 * are in packages below {@code command}, over {@code option}, {@code base} and {@code print}; {@code shell} makes
 * completion scripts and the manual page. What the commands do to arrays is in the modules below.
 */
@NullMarked
package dev.shardkit.cli;

import org.jspecify.annotations.NullMarked;
