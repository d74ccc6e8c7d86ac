/**
 * Reads and writes buckets of Google Cloud Storage. What it shares with other clouds is in
 * {@code dev.shardkit.store.cloud}. Add the module and open a location such as {@code gs://bucket/image.zarr}, or start
 * with {@link dev.shardkit.store.gcs.GcsStore#builder}. Credentials come from Google's environment.
 *
 * <p>Calls the REST API directly. Google's {@code google-auth-library-oauth2-http} would bring 22 jars (6.2 MB) for
 * signatures that are a few lines with the JDK.
 */
@NullMarked
package dev.shardkit.store.gcs;

import org.jspecify.annotations.NullMarked;
