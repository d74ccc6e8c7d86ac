/**
 * The common code of the cloud stores (S3, Google, Azure); exported only to them. A
 * {@link dev.shardkit.store.cloud.Service} makes the requests of one cloud and interprets its answers; this package
 * sends them: conditional changes, lost answers, listings, large objects, deletion of trees.
 */
@NullMarked
package dev.shardkit.store.cloud;

import org.jspecify.annotations.NullMarked;
