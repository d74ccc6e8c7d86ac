/** S3 buckets, read and written. Begin with {@link dev.shardkit.store.s3.S3Store#builder}. */
@NullMarked
package dev.shardkit.store.s3;

import org.jspecify.annotations.NullMarked;
