/**
 * OME-Zarr (NGFF): a convention for bioimages in groups of Zarr. {@link dev.shardkit.ome.OmeImage} reads images and
 * labels, {@link dev.shardkit.ome.OmePlate} reads plates of microscopy screens, {@link dev.shardkit.ome.OmeMetadata} is
 * the metadata alone. Versions 0.4 (Zarr v2) and 0.5 (Zarr v3) are complete. Of 0.6, a release candidate, multiscales
 * with scales and translations are read; other transformations are kept as JSON.
 *
 * <p>Validation has its own implementation of JSON Schema, for the bundled schemas of the specification. Small
 * libraries for JSON Schema are not named modules, and large ones depend on many jars.
 *
 * @see <a href="https://ngff.openmicroscopy.org/specifications/">the specifications</a>
 */
@NullMarked
package dev.shardkit.ome;

import org.jspecify.annotations.NullMarked;
