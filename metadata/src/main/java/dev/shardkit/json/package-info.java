/** A strict reader and a printer of JSON documents. */
@NullMarked
package dev.shardkit.json;

import org.jspecify.annotations.NullMarked;
