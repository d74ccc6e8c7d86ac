/**
 * The commands that test implementations of Zarr, and those by which shardkit is tested itself: {@code conformance},
 * {@code conformance-read}, {@code conformance-batch}. The runner is {@code dev.shardkit.conformance}.
 */
@NullMarked
package dev.shardkit.cli.command.conformance;

import org.jspecify.annotations.NullMarked;
