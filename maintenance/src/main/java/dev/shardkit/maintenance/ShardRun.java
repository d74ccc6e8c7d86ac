package dev.shardkit.maintenance;

import java.io.Serializable;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A run of the shards of a {@link PartedCopy}, without those that hold the fill value only, if they are known. Takes a
 * bit for each shard. Immutable.
 */
public final class ShardRun implements Serializable {
    private static final long serialVersionUID = 1L;

    private final long first;
    private final long end;
    private final @Nullable BitSet wanted;

    ShardRun(long first, long end, @Nullable BitSet wanted) {
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

    /** Returns the number of shards that may have to be written. */
    public long count() {
        return wanted == null ? end - first : wanted.cardinality();
    }

    /** Whether shard {@code number} may have to be written. */
    boolean wants(long number) {
        return wanted == null || wanted.get((int) (number - first));
    }

    @Override
    public String toString() {
        return "shards " + first + " to " + (end - 1);
    }
}
