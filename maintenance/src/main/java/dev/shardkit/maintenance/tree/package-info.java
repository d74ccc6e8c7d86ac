/**
 * Nodes and their places in a tree: the groups above a node, nodes that readers do not find, sizes, removal. The
 * contents of arrays are not read here.
 */
@NullMarked
package dev.shardkit.maintenance.tree;

import org.jspecify.annotations.NullMarked;
