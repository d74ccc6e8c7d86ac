/** A strict reader and a printer of JSON documents. The values are in {@code dev.shardkit.spi.json}. */
@NullMarked
package dev.shardkit.json;

import org.jspecify.annotations.NullMarked;
