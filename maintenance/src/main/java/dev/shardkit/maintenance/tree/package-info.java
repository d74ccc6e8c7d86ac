/**
 * Nodes in a tree: the groups above a node, hidden nodes, names of dimensions, sizes, removal. This package does not
 * read elements of arrays.
 */
@NullMarked
package dev.shardkit.maintenance.tree;

import org.jspecify.annotations.NullMarked;
