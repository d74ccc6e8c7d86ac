/** Which chunks exist, found from shard indexes, and the list of them that an array may keep. Not exported to users. */
@NullMarked
package dev.shardkit.presence;

import org.jspecify.annotations.NullMarked;
