/** A read-only HTTP server for a store. */
@NullMarked
package dev.shardkit.serve;

import org.jspecify.annotations.NullMarked;
