/** Drawings of an array's grid, and of where its stored parts lie. */
@NullMarked
package dev.shardkit.cli.print.drawing;

import org.jspecify.annotations.NullMarked;
