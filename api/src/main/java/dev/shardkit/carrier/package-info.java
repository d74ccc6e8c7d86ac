/** Moves elements between stored words and Java arrays. Not exported to users. */
@NullMarked
package dev.shardkit.carrier;

import org.jspecify.annotations.NullMarked;
