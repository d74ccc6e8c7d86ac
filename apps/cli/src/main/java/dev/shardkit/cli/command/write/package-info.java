/**
 * The commands that create nodes, and that change or remove single ones: {@code create}, {@code write}, {@code append},
 * {@code erase}, {@code group}, {@code attrs}, {@code resize}, {@code rm}, {@code consolidate}. Nodes made of other
 * nodes are in {@code copy}, of files in {@code files}.
 */
@NullMarked
package dev.shardkit.cli.command.write;

import org.jspecify.annotations.NullMarked;
