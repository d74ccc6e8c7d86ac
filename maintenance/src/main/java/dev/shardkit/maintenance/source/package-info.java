/**
 * The nodes that a job reads: a walk over a tree, objects that belong to no node, and checks that a source is the same
 * at the end of the job. Nodes that a job publishes are in {@code publish}. Only for this module and for the modules of
 * shardkit that build on it: it changes without notice.
 */
@NullMarked
package dev.shardkit.maintenance.source;

import org.jspecify.annotations.NullMarked;
