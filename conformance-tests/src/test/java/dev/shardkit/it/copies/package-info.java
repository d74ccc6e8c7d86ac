/** Copies that move stored chunks without decoding them, and sources that change or vanish meanwhile. */
@NullMarked
package dev.shardkit.it.copies;

import org.jspecify.annotations.NullMarked;
