/**
 * Opened stores and nodes: sessions with options, engine and caches, the metadata documents of nodes, and their
 * lifetimes. Chunks and elements are in {@code region}. Not exported to users.
 *
 * <p>Opening a node reads {@code zarr.json} first, which is one request. Only if it is absent, or of another format
 * than 3, does {@code NodeSearch} try the node formats, one after the other.
 *
 * <p>All changes of a document are made after reading it again under its lock. Children of groups in local stores are
 * listed, and their consolidated metadata are not needed. Over HTTP, where listing is impossible, consolidated metadata
 * are trusted. An update of consolidated metadata reads the nodes' documents while it holds the group's lock, so the
 * last of several writers records what is stored. Consolidating a whole tree walks it without the lock, so no writer
 * waits for a large tree; it walks the tree a second time and updates the records of the nodes that changed in between.
 * A caller who opens {@code tree.zarr/a} by its path changes what {@code tree.zarr} lists, so groups in the folders
 * above a local store are updated too.
 */
@NullMarked
package dev.shardkit.session;

import org.jspecify.annotations.NullMarked;
