/** Tests of the artifact {@code shardkit} as a whole. */
@NullMarked
package dev.shardkit.all;

import org.jspecify.annotations.NullMarked;
