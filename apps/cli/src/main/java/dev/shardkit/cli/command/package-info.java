/**
 * The commands of {@code shardkit}, a class each, and what a single command needs. The list of them is
 * {@link dev.shardkit.cli.Commands}.
 */
@NullMarked
package dev.shardkit.cli.command;

import org.jspecify.annotations.NullMarked;
