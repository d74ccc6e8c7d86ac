/** Comparing arrays and groups by their elements and attributes. Whether an array is intact is in {@code check}. */
@NullMarked
package dev.shardkit.maintenance.compare;

import org.jspecify.annotations.NullMarked;
