/**
 * Reads and writes buckets of S3 and of servers that speak its protocol. Add the module and open a location such as
 * {@code s3://bucket/image.zarr}, or start with {@link dev.shardkit.store.s3.S3Store#builder}. Credentials and the
 * region come from AWS's environment.
 */
@NullMarked
package dev.shardkit.store.s3;

import org.jspecify.annotations.NullMarked;
