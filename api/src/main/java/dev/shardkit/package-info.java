/** Arrays and groups of a Zarr v3 hierarchy, for Java and Kotlin. */
@NullMarked
package dev.shardkit;

import org.jspecify.annotations.NullMarked;
