/** JSON documents: strict reading, printing. */
@NullMarked
package dev.shardkit.json;

import org.jspecify.annotations.NullMarked;
