/**
 * Completion scripts and the manual page, generated from picocli's model of the commands. The texts that they contain
 * are in the commands.
 */
@NullMarked
package dev.shardkit.cli.shell;

import org.jspecify.annotations.NullMarked;
