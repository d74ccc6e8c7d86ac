/** What a crash, a full disk and many writers may not do to shards: killed processes, failing calls, torn reads. */
@NullMarked
package dev.shardkit.crash;

import org.jspecify.annotations.NullMarked;
