/**
 * Arrays and groups of Zarr v2 (storage specification version 2): {@code .zarray}, {@code .zgroup}, {@code .zattrs},
 * {@code .zmetadata}, as documents of Zarr v3. Nothing here is called by users: the service loader finds it, and nodes
 * open like those of Zarr v3. Filters and compressors go to the codec that does the same; one without a counterpart to
 * the codec {@code numcodecs.<id>}, so that whoever needs it can plug it in.
 */
@NullMarked
package dev.shardkit.v2;

import org.jspecify.annotations.NullMarked;
