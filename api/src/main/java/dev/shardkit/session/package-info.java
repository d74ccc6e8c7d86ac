/**
 * Opened stores and nodes: sessions with options, engine and caches, the metadata documents of nodes, and their
 * lifetimes. Not exported to users.
 */
@NullMarked
package dev.shardkit.session;

import org.jspecify.annotations.NullMarked;
