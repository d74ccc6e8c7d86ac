/**
 * The base of all commands: the superclass of commands, shared options, signals, temporary files, inputs and targets,
 * and advice after failures. Options of single commands are in {@code option}.
 */
@NullMarked
package dev.shardkit.cli.base;

import org.jspecify.annotations.NullMarked;
