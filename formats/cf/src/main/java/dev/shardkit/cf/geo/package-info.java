/**
 * Where the cells of a grid lie on the Earth, by the Zarr conventions {@code proj:}, {@code spatial:} and
 * {@code multiscales}: {@link dev.shardkit.cf.geo.Georeference} has the coordinate reference system and the affine
 * transform of an array, {@link dev.shardkit.cf.geo.Overviews} the coarser levels of a group. What GDAL and rioxarray
 * write in their own attributes is read too. Coordinates as arrays of labels are in {@code dev.shardkit.cf};
 * coordinates are not converted between reference systems here.
 *
 * <p>Where attributes contradict the conventions, nothing is guessed: they are ignored, and {@code notes()} says so.
 *
 * @see <a href="https://github.com/zarr-conventions/proj">proj</a>
 * @see <a href="https://github.com/zarr-conventions/spatial">spatial</a>
 * @see <a href="https://github.com/zarr-conventions/multiscales">multiscales</a>
 */
@NullMarked
package dev.shardkit.cf.geo;

import org.jspecify.annotations.NullMarked;
