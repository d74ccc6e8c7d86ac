/**
 * Calls of any store that block, whether it reads by calls that block or by futures. For programs, and for stores over
 * other stores; authors of a store implement {@link dev.shardkit.store} alone.
 */
@NullMarked
package dev.shardkit.store.access;

import org.jspecify.annotations.NullMarked;
