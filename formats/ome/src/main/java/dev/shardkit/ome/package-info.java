/**
 * OME-Zarr (NGFF), a convention for bioimages in groups of Zarr: opens images, labels and plates for reading. Start at
 * {@link dev.shardkit.ome.OmeImage} or, for plates of microscopy screens, {@link dev.shardkit.ome.OmePlate}. What
 * metadata says is in {@code dev.shardkit.ome.metadata}, checks are in {@code dev.shardkit.ome.validation}, and images
 * are made in {@code dev.shardkit.ome.pyramid}.
 *
 * <p>Versions 0.4 (Zarr v2) and 0.5 (Zarr v3) are complete. Of 0.6, a release candidate, multiscales with scales and
 * translations are read; other transformations are kept as JSON.
 *
 * @see <a href="https://ngff.openmicroscopy.org/specifications/">the specifications</a>
 */
@NullMarked
package dev.shardkit.ome;

import org.jspecify.annotations.NullMarked;
