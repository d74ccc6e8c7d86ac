/**
 * HDF5 and NetCDF4 files: a store that reads the structures of a file and leaves the rest to references, and the codecs
 * of filters that no other module has. Start at {@link dev.shardkit.hdf5.Hdf5StoreFactory}.
 */
@NullMarked
package dev.shardkit.hdf5;

import org.jspecify.annotations.NullMarked;
