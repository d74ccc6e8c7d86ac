/**
 * Index syntax for the images, wells and plates of {@code dev.shardkit.ome}, whose module it needs at run time.
 * Functions for arrays and groups are in {@code dev.shardkit.kotlin}.
 */
@NullMarked
package dev.shardkit.kotlin.ome;

import org.jspecify.annotations.NullMarked;
