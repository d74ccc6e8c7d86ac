/** Google Cloud Storage buckets, read and written. Begin with {@link dev.shardkit.store.gcs.GcsStore#builder}. */
@NullMarked
package dev.shardkit.store.gcs;

import org.jspecify.annotations.NullMarked;
