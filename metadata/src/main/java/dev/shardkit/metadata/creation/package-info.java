/**
 * The metadata of an array that does not exist yet: the parts of its description, and the document that they make.
 * Existing documents are read by {@link dev.shardkit.metadata}. Not exported to users.
 */
@NullMarked
package dev.shardkit.metadata.creation;

import org.jspecify.annotations.NullMarked;
