/**
 * The commands of OME-Zarr images: {@code ome} and {@code pyramid}. Other commands treat images as groups and arrays.
 */
@NullMarked
package dev.shardkit.cli.command.ome;

import org.jspecify.annotations.NullMarked;
