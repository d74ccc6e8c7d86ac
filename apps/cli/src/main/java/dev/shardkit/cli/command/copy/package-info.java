/**
 * The commands that make nodes of other nodes: {@code copy}, {@code convert}, {@code mv}. Pyramids are in {@code ome}.
 */
@NullMarked
package dev.shardkit.cli.command.copy;

import org.jspecify.annotations.NullMarked;
