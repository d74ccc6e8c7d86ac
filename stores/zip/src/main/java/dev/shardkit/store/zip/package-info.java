/**
 * ZIP archives as stores. Applications open {@code image.zip}, {@code image.ozx} or {@code zip:URL!PATH}, or start with
 * {@link dev.shardkit.store.zip.ZipStore#builder}. Archives are read by ranges from any other store, and written to
 * local files.
 */
@NullMarked
package dev.shardkit.store.zip;

import org.jspecify.annotations.NullMarked;
