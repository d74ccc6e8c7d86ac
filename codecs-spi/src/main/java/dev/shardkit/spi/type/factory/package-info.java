/** The factories of the core data types, as the service loader finds them. Code uses {@code CoreTypes}. */
@NullMarked
package dev.shardkit.spi.type.factory;

import org.jspecify.annotations.NullMarked;
