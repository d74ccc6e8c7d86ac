package dev.shardkit.cf;

/**
 * A dimension that variables of a dataset share. Unlike NetCDF, Zarr does not state which dimensions may grow.
 *
 * @param name the name
 * @param length the number of indices
 */
public record CfDimension(String name, long length) {}
