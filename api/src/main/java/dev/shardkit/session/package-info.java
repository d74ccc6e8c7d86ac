/**
 * Opened stores and nodes: sessions with options, engine and caches, the nodes in them, and their lifetimes. Chunks and
 * elements are in {@code dev.shardkit.region}. Not exported to users, nor are the packages below.
 *
 * <p>All changes of a document are made after reading it again under its lock.
 */
@NullMarked
package dev.shardkit.session;

import org.jspecify.annotations.NullMarked;
