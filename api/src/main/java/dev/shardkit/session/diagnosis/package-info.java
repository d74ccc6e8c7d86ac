/**
 * What else is at a location: the error for a path without a node describes it, and documents of other formats beside
 * an opened node are named. Reads only, and only for messages.
 */
@NullMarked
package dev.shardkit.session.diagnosis;

import org.jspecify.annotations.NullMarked;
