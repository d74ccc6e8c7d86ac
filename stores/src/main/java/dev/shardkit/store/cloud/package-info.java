/**
 * The common code of the cloud stores (S3, Google, Azure); exported only to them. A
 * {@link dev.shardkit.store.cloud.CloudService} makes the requests of one cloud and interprets its answers; this
 * package sends them: conditional changes, lost answers, listings, large objects, deletion of trees.
 *
 * <p>Settings of a cloud are those of its builder and not of {@code ZarrOptions}: an option of one store means nothing
 * to others, and the compiler checks a builder. For the same reason the command's options begin with the scheme
 * ({@code --s3-region}): {@code --region} is a region of an array.
 */
@NullMarked
package dev.shardkit.store.cloud;

import org.jspecify.annotations.NullMarked;
