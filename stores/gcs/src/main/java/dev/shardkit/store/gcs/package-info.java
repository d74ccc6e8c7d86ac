/**
 * Reads and writes buckets of Google Cloud Storage. Add the module and open a location such as
 * {@code gs://bucket/image.zarr}, or start with {@link dev.shardkit.store.gcs.GcsStore#builder}. Credentials come from
 * Google's environment.
 */
@NullMarked
package dev.shardkit.store.gcs;

import org.jspecify.annotations.NullMarked;
