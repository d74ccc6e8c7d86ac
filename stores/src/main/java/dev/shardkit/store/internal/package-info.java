/** Code that the stores of this module share; not exported. */
@NullMarked
package dev.shardkit.store.internal;

import org.jspecify.annotations.NullMarked;
