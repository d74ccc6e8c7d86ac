/**
 * Describes what else is at a location: for the error of a path without a node, and for documents of other formats
 * beside an opened node. Reads only, and only for messages.
 */
@NullMarked
package dev.shardkit.session.diagnosis;

import org.jspecify.annotations.NullMarked;
