/**
 * Attributes as objects of classes and back, by Jackson's databind where it is present. Reading and changing attributes
 * is not here: the nodes do that. Not exported, except to the module for Kotlin, whose classes it maps.
 */
@NullMarked
package dev.shardkit.attributes;

import org.jspecify.annotations.NullMarked;
