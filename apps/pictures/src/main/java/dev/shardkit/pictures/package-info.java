/** Pictures and reports of arrays. */
@NullMarked
package dev.shardkit.pictures;

import org.jspecify.annotations.NullMarked;
