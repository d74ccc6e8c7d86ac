/**
 * Open files that readers share, and the snapshot of a file that a read sees from its start to its end. Writes are not
 * here.
 */
@NullMarked
package dev.shardkit.store.file.open;

import org.jspecify.annotations.NullMarked;
