/**
 * What the stores of clouds (S3, Google, Azure) share; not exported to others. A
 * {@link dev.shardkit.store.cloud.Service} makes the requests of one cloud and interprets its answers; this package
 * sends them: conditional changes, lost answers, listings, large objects, deletion of trees.
 */
@NullMarked
package dev.shardkit.store.cloud;

import org.jspecify.annotations.NullMarked;
