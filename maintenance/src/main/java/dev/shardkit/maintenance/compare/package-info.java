/** Comparing arrays and groups by their elements and attributes. {@code check} checks whether an array is intact. */
@NullMarked
package dev.shardkit.maintenance.compare;

import org.jspecify.annotations.NullMarked;
