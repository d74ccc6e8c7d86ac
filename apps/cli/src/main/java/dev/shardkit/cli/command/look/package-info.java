/**
 * The commands that show stored nodes and change nothing: {@code info}, {@code ls}, {@code tree}, {@code du},
 * {@code head}, {@code read}, {@code stats}, {@code diff}, {@code map}, {@code preview}, {@code report},
 * {@code chunks}. Files for other programs are written by {@code files}.
 */
@NullMarked
package dev.shardkit.cli.command.look;

import org.jspecify.annotations.NullMarked;
