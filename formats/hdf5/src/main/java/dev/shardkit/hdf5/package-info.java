/**
 * HDF5 and NetCDF4 files: a store that reads the structures of a file and leaves the rest to references, and the codecs
 * of filters that no other module has. Start at {@link dev.shardkit.hdf5.Hdf5StoreFactory}.
 *
 * <p>It is a reader of its own. {@code io.jhdf:jhdf} (0.13.0, pure Java) needs the file on this machine, does not tell
 * where chunks are, and brings 2.2 MB. With the reader of chunk indexes, which was needed anyway, the rest of the
 * format is 1,500 lines more, reads remote files by ranges, and checks each size and address.
 */
@NullMarked
package dev.shardkit.hdf5;

import org.jspecify.annotations.NullMarked;
