/** HDF5 and NetCDF4 files that other libraries wrote, with the codecs and stores that reading them takes. */
@NullMarked
package dev.shardkit.it.hdf5;

import org.jspecify.annotations.NullMarked;
