/**
 * Changes of a file in place, with a journal from which a later process completes or rolls back an interrupted change.
 * Replacing a whole file is not here.
 */
@NullMarked
package dev.shardkit.store.file.patch;

import org.jspecify.annotations.NullMarked;
