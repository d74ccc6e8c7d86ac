/** ZIP archives as stores: read from any other store, written to local files. */
@NullMarked
package dev.shardkit.store.zip;

import org.jspecify.annotations.NullMarked;
