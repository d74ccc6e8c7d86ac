/**
 * The data types of the Zarr core specification, {@code string} and {@code bytes}.
 *
 * <p>{@link dev.shardkit.spi.type.CoreTypes} has them for code; metadata finds them through the factories in
 * {@link dev.shardkit.spi.type.CoreTypeFactories}, like any other plug-in.
 */
@NullMarked
package dev.shardkit.spi.type;

import org.jspecify.annotations.NullMarked;
