/**
 * HDF5 and NetCDF4 files as stores: the nodes of a file become documents of Zarr and references to its chunks. Start at
 * {@link dev.shardkit.hdf5.Hdf5StoreFactory}. The packages below are not exported: they read the file, and have the
 * codecs of its filters.
 *
 * <p>Why not a library: {@code io.jhdf:jhdf} (0.13.0, pure Java) needs a local file, does not expose the positions of
 * chunks, and has 2.2 MB. The reader of chunk indexes was needed anyway. The rest of the format takes 1,500 lines. It
 * reads remote files by ranges and checks each size and address.
 */
@NullMarked
package dev.shardkit.hdf5;

import org.jspecify.annotations.NullMarked;
