/** The {@code rectilinear} chunk grid: chunks whose lengths vary along each dimension. */
@NullMarked
package dev.shardkit.grid.rectilinear;

import org.jspecify.annotations.NullMarked;
