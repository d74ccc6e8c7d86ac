/**
 * Data types that are registered beside the core ones (zarr-extensions, data-types): fixed-length text, moments and
 * durations of NumPy, small integers, small floating-point numbers.
 *
 * <p>{@link dev.shardkit.type.ExtensionTypes} has them for code; metadata finds them through the factories, like any
 * other plug-in.
 */
@NullMarked
package dev.shardkit.type;

import org.jspecify.annotations.NullMarked;
