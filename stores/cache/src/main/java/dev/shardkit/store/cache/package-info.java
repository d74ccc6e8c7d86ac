/** A store that keeps what it reads from another store on disk. */
@NullMarked
package dev.shardkit.store.cache;

import org.jspecify.annotations.NullMarked;
