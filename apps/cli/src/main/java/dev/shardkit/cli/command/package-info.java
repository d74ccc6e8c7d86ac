/**
 * The commands of {@code shardkit}, one class each, with the helpers of single commands. The list of commands is
 * {@link dev.shardkit.cli.Commands}.
 */
@NullMarked
package dev.shardkit.cli.command;

import org.jspecify.annotations.NullMarked;
