/** Boxes, data types, elements, and the targets and feeds that elements move through. */
@NullMarked
package dev.shardkit.spi.array;

import org.jspecify.annotations.NullMarked;
