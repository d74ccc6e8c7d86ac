/** What a store is: the seam to files, servers and memory. */
@NullMarked
package dev.shardkit.store;

import org.jspecify.annotations.NullMarked;
