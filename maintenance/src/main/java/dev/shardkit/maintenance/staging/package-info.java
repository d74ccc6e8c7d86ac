/**
 * New objects of an array beside its old ones: they are staged under a record, committed, and put in place of the old
 * objects, so that a crash at any moment leaves the old array or the new one. Which layout is wanted is in
 * {@code layout}; the changes that users call are in {@code relayout}.
 */
@NullMarked
package dev.shardkit.maintenance.staging;

import org.jspecify.annotations.NullMarked;
