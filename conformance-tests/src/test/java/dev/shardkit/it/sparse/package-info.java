/** Jobs over arrays of which few chunks are stored. */
@NullMarked
package dev.shardkit.it.sparse;

import org.jspecify.annotations.NullMarked;
