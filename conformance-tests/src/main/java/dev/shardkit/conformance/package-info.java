/** Runs any Zarr implementation over the fixtures and compares values. */
@NullMarked
package dev.shardkit.conformance;

import org.jspecify.annotations.NullMarked;
