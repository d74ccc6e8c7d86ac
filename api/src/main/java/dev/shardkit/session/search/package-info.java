/**
 * The plan that finds the document of a node, in Zarr v3 or another format. It knows neither sessions nor handles;
 * those are in {@code dev.shardkit.session}.
 *
 * <p>The plan reads {@code zarr.json} first, which is one request. Only if it is absent, or of another format than 3,
 * does it try the node formats, one after the other.
 */
@NullMarked
package dev.shardkit.session.search;

import org.jspecify.annotations.NullMarked;
