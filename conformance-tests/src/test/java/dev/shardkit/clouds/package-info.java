/** Many writers, killed writers and broken networks before real cloud servers. */
@NullMarked
package dev.shardkit.clouds;

import org.jspecify.annotations.NullMarked;
