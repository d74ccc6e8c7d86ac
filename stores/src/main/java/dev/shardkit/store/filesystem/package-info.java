/**
 * Operations of the file system that need care on some systems: files that are open while they are replaced, named
 * pipes in place of directories. For all stores of shardkit that use local files; the store of local files is
 * {@link dev.shardkit.store.file}.
 */
@NullMarked
package dev.shardkit.store.filesystem;

import org.jspecify.annotations.NullMarked;
