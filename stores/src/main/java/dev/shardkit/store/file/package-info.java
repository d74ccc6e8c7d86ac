/**
 * The store of local files. Applications open it by a path or a {@code file:} URL, or by
 * {@link dev.shardkit.store.file.FileStore#at}. It locks shards across processes and recovers changes that a crash
 * interrupted.
 */
@NullMarked
package dev.shardkit.store.file;

import org.jspecify.annotations.NullMarked;
