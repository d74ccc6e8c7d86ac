/**
 * Reads and writes buckets of S3 and of servers that speak its protocol. What it shares with other clouds is in
 * {@code dev.shardkit.store.cloud}. Add the module and open a location such as {@code s3://bucket/image.zarr}, or start
 * with {@link dev.shardkit.store.s3.S3Store#builder}. Credentials and the region come from AWS's environment.
 *
 * <p>AWS's libraries only sign requests and find credentials. Their modules {@code sts}, {@code sso}, {@code ssooidc}
 * and {@code signin} are left to the application: they bring HTTP clients of AWS (8 MB), which keys, profiles,
 * containers and instances do not need. Objects above the 5 GiB of CopyObject are copied by ranges.
 */
@NullMarked
package dev.shardkit.store.s3;

import org.jspecify.annotations.NullMarked;
