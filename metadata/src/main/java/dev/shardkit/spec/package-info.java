/** The parts of the description of a new array, and the metadata document that they make. Not exported to users. */
@NullMarked
package dev.shardkit.spec;

import org.jspecify.annotations.NullMarked;
