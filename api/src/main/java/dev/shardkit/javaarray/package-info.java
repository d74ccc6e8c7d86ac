/**
 * Moves elements between stored words and Java arrays. Which elements are read is in {@code selection} and
 * {@code region}. Not exported to users.
 */
@NullMarked
package dev.shardkit.javaarray;

import org.jspecify.annotations.NullMarked;
