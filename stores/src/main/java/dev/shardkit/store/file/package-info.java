/** The file store. */
@NullMarked
package dev.shardkit.store.file;

import org.jspecify.annotations.NullMarked;
