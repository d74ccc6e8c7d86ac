/** JSON that keeps the lexemes of numbers. */
@NullMarked
package dev.shardkit.spi.json;

import org.jspecify.annotations.NullMarked;
