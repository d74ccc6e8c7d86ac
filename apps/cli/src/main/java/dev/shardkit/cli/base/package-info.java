/**
 * What all commands stand on: the class of a command, the options that all share, signals, temporary files, the inputs
 * and targets of commands, and what a failed command leaves. Options of some commands are in {@code option}.
 */
@NullMarked
package dev.shardkit.cli.base;

import org.jspecify.annotations.NullMarked;
