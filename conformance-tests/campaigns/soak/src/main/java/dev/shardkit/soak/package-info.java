/**
 * A soak test: mixed work on the same arrays for minutes or hours, with every value and every resource checked. Hostile
 * input is tested in {@code dev.shardkit.fuzz}.
 */
@NullMarked
package dev.shardkit.soak;

import org.jspecify.annotations.NullMarked;
