/**
 * What all packages of maintenance share: the stored objects, chunks and boxes of an array, the nodes of a tree, locks,
 * digests, backups, and changes that are published as a whole. It knows no command and no result of one. Only for this
 * module and for the modules of shardkit that build on it: it changes without notice.
 */
@NullMarked
package dev.shardkit.maintenance.base;

import org.jspecify.annotations.NullMarked;
