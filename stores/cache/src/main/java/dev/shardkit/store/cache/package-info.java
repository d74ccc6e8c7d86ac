/** A store that caches another store on disk. */
@NullMarked
package dev.shardkit.store.cache;

import org.jspecify.annotations.NullMarked;
