package dev.shardkit.maintenance;

import dev.shardkit.maintenance.copy.PartedCopy;
import java.io.Serializable;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A range of the shards of a {@link PartedCopy}: from {@link #first} to {@link #end}, exclusive. If the source's store
 * supports listing, and the array has fewer than 2^29 shards and source chunks, the range also records which shards may
 * hold data, one bit each; the copy skips the others. Immutable. {@link PartedCopy#split} creates ranges; they can be
 * serialized for another process.
 */
public final class ShardRange implements Serializable {
    private static final long serialVersionUID = 1L;

    private final long first;
    private final long end;
    private final @Nullable BitSet shardsWithData;

    /** Creates a range. Bit 0 stands for shard {@code first}; null if all shards may hold data. */
    public ShardRange(long first, long end, @Nullable BitSet shardsWithData) {
        this.first = first;
        this.end = end;
        this.shardsWithData = shardsWithData;
    }

    /** Returns the number of the first shard. */
    public long first() {
        return first;
    }

    /** Returns the end of the range, exclusive. */
    public long end() {
        return end;
    }

    /** Returns the number of shards that may hold data. If that is not recorded, returns the number of all shards. */
    public long count() {
        return shardsWithData == null ? end - first : shardsWithData.cardinality();
    }

    /** Returns whether shard {@code number} of the array may hold data, so that it must be copied. */
    public boolean wants(long number) {
        return shardsWithData == null || shardsWithData.get((int) (number - first));
    }

    @Override
    public String toString() {
        return "shards " + first + " to " + (end - 1);
    }
}
