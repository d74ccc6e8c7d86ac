package dev.shardkit.region.feed;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.EncodedFeed;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.store.StagedPuts;
import java.util.Optional;

/** A feed of elements whose shards may be staged in the store already. */
public interface StagedShardsFeed extends EncodedFeed {
    /** Returns the staged shard at a cell of the chunk grid; empty if the feed has only its elements. */
    Optional<Shard> staged(long[] cell);

    /** A shard of which all inner chunks are staged in the store. */
    interface Shard {
        /** Returns whether the shard is stored already, because a change failed after that. */
        boolean isStored();

        /** Returns the edit that stores the shard: the bytes after those that are staged. */
        Edit edit(Scratch scratch);

        /** Returns the staged bytes if {@code planned} is the edit that completes them. */
        Optional<StagedPuts.Staged> staged(Edit planned);
    }
}
