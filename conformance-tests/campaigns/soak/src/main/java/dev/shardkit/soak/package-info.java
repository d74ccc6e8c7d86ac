/** A soak test: mixed work on the same arrays for minutes or hours, with every value and every resource checked. */
@NullMarked
package dev.shardkit.soak;

import org.jspecify.annotations.NullMarked;
