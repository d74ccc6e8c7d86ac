/**
 * Consolidated metadata: finds children in it, and records created, changed, moved and deleted nodes in the groups
 * above them. Documents of single nodes are changed in {@code dev.shardkit.session}.
 *
 * <p>Children of groups in local stores are listed, and their consolidated metadata are not needed. Over HTTP, where
 * listing is impossible, consolidated metadata are trusted. An update reads the nodes' documents while it holds the
 * group's lock, so the last of several writers records what is stored. Consolidating a whole tree walks it without the
 * lock, so no writer waits for a large tree; it walks the tree a second time and updates the records of the nodes that
 * changed in between. A caller who opens {@code tree.zarr/a} by its path changes what {@code tree.zarr} lists, so
 * groups in the folders above a local store are updated too.
 */
@NullMarked
package dev.shardkit.session.consolidated;

import org.jspecify.annotations.NullMarked;
