/**
 * Checks the preconditions of a new node: a free path outside of arrays, without chunks of an earlier one, in a format
 * that can be written. The documents of new nodes are made in {@code dev.shardkit}.
 */
@NullMarked
package dev.shardkit.session.creation;

import org.jspecify.annotations.NullMarked;
