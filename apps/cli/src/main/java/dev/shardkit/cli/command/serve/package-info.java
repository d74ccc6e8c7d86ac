/** The commands that serve data over HTTP: {@code serve}, and {@code tour} with its own data. */
@NullMarked
package dev.shardkit.cli.command.serve;

import org.jspecify.annotations.NullMarked;
