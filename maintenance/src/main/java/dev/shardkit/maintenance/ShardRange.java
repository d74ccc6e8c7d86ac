package dev.shardkit.maintenance;

import java.io.Serializable;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A range of the shards of a {@link PartedCopy}: those from {@link #first} on, before {@link #end}. If the source's
 * store can list, the range also records, with a bit for each shard, which shards hold data; the copy skips the others.
 * Immutable. {@link PartedCopy#split} creates ranges; they can be serialized for another process.
 */
public final class ShardRange implements Serializable {
    private static final long serialVersionUID = 1L;

    private final long first;
    private final long end;
    private final @Nullable BitSet wanted;

    ShardRange(long first, long end, @Nullable BitSet wanted) {
        this.first = first;
        this.end = end;
        this.wanted = wanted;
    }

    /** Returns the number of the first shard. */
    public long first() {
        return first;
    }

    /** Returns the number after that of the last shard. */
    public long end() {
        return end;
    }

    /** Returns the number of shards that may hold data, all if unknown. */
    public long count() {
        return wanted == null ? end - first : wanted.cardinality();
    }

    /** Whether shard {@code number} may hold data. */
    boolean wants(long number) {
        return wanted == null || wanted.get((int) (number - first));
    }

    @Override
    public String toString() {
        return "shards " + first + " to " + (end - 1);
    }
}
