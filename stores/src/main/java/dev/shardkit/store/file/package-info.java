/**
 * The store of local files: keys and directories, and the abilities that a store offers. Applications open it by a path
 * or a {@code file:} URL, or by {@link dev.shardkit.store.file.FileStore#at}. It locks shards across processes and
 * recovers changes that a crash interrupted. The packages below hold the parts that know no keys: files ({@code disk}),
 * locks ({@code lock}), changes in place ({@code patch}) and shared open files ({@code open}).
 */
@NullMarked
package dev.shardkit.store.file;

import org.jspecify.annotations.NullMarked;
