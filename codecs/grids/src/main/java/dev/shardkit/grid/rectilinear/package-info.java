/**
 * The {@code rectilinear} chunk grid: chunks whose lengths vary along each dimension. The regular grid is in
 * {@code dev.shardkit.spi.grid}.
 */
@NullMarked
package dev.shardkit.grid.rectilinear;

import org.jspecify.annotations.NullMarked;
