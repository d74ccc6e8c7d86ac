package dev.shardkit.cf;

/**
 * A dimension that variables of a dataset share. Zarr does not say which dimensions may grow.
 *
 * @param name the name
 * @param length the number of indices
 */
public record CfDimension(String name, long length) {}
