package dev.shardkit.region.feed;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.EncodedFeed;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.store.StagedPuts;
import java.util.Optional;

/** A feed of elements whose encoded shards may be staged in the store already, while a stream of slices wrote them. */
public interface StagedShardsFeed extends EncodedFeed {
    /** Returns the staged shard at a cell of the chunk grid; empty if the feed has only its elements. */
    Optional<Shard> staged(long[] cell);

    /** A shard whose inner chunks are all staged in the store; only its end, such as the index, is missing. */
    interface Shard {
        /** Returns whether the shard is stored already, by an earlier change that failed afterwards. */
        boolean isStored();

        /** Returns the edit that completes the shard with the bytes that follow the staged ones. */
        Edit edit(Scratch scratch);

        /** Returns the staged bytes if {@code planned} is the edit that completes them. */
        Optional<StagedPuts.Staged> staged(Edit planned);
    }
}
