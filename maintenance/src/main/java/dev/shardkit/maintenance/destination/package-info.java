/**
 * The place that receives a new array or tree: whether it is free, how unfinished work there is marked and resumed, and
 * how elements of a source become its chunks, with codecs that Zarr v3 names. Only for this module and for the modules
 * of shardkit that build on it: it changes without notice.
 */
@NullMarked
package dev.shardkit.maintenance.destination;

import org.jspecify.annotations.NullMarked;
