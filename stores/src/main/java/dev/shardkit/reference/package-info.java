/** Stores that are documents of references: kerchunk's reference JSON. */
@NullMarked
package dev.shardkit.reference;

import org.jspecify.annotations.NullMarked;
