/** The store of ZIP archives: read from any other store, written to files. */
@NullMarked
package dev.shardkit.store.zip;

import org.jspecify.annotations.NullMarked;
