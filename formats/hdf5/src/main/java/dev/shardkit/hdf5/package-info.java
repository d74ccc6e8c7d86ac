/**
 * HDF5 and NetCDF4 files: a store that reads the structures of a file and references its chunks, and codecs for filters
 * that no other module has. Start at {@link dev.shardkit.hdf5.Hdf5StoreFactory}.
 *
 * <p>Why not a library: {@code io.jhdf:jhdf} (0.13.0, pure Java) needs a local file, does not expose the positions of
 * chunks, and has 2.2 MB. The reader of chunk indexes was needed anyway. The rest of the format takes 1,500 lines. It
 * reads remote files by ranges and checks each size and address.
 */
@NullMarked
package dev.shardkit.hdf5;

import org.jspecify.annotations.NullMarked;
