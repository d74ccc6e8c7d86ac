/**
 * Arithmetic of boxes, and checks that a region lies inside an array. It knows nothing of chunks. Not exported to
 * users.
 */
@NullMarked
package dev.shardkit.region.box;

import org.jspecify.annotations.NullMarked;
