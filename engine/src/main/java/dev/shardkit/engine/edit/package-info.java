/**
 * Changes of stored objects: plans an edit, and makes it under a lock or a condition, by a patch, a put or a multi-part
 * copy. How old content is read is in {@code run}; which cells change is decided above the engine.
 */
@NullMarked
package dev.shardkit.engine.edit;

import org.jspecify.annotations.NullMarked;
