/**
 * Classes that all maintenance packages share: the stored objects, chunks and boxes of an array, the nodes of a tree,
 * locks, digests, backups, and changes that are published as a whole. It depends on none of these packages. Only for
 * this module and for the modules of shardkit that build on it: it changes without notice.
 */
@NullMarked
package dev.shardkit.maintenance.base;

import org.jspecify.annotations.NullMarked;
