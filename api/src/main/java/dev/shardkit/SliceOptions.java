package dev.shardkit;

import dev.shardkit.spi.array.Box;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a {@link SliceWriter} works. Immutable; start from {@link #defaults()}. */
public final class SliceOptions {
    private static final SliceOptions DEFAULTS = new SliceOptions(Technique.AUTO, 256L << 20, null, Growth.FIXED);

    private final Technique technique;
    private final long budgetBytes;
    private final @Nullable Box region;
    private final Growth growth;

    private SliceOptions(Technique technique, long budgetBytes, @Nullable Box region, Growth growth) {
        this.technique = technique;
        this.budgetBytes = budgetBytes;
        this.region = region;
        this.growth = growth;
    }

    /** How slices that lie one behind the other get into shards (ZEP 2, "Storing a stream of data slices"). */
    public enum Technique {
        /**
         * {@link #BUFFERED} if the slices of a whole shard fit into the budget (they do where shards are one slice
         * deep), or the store cannot change objects in place, or there are no inner chunks; otherwise {@link #IN_PLACE}
         * if inner chunks have one size, and {@link #APPEND} if not.
         */
        AUTO,
        /**
         * As many slices as the budget allows, at most those of a shard and otherwise of whole inner chunks, are
         * written at once, as the write policy says. Where the budget holds a shard's slices, each shard is written
         * once.
         */
        BUFFERED,
        /**
         * A shard gets room for all of its inner chunks when it is first written; the slices of an inner chunk, or as
         * many as the budget allows, are then written in place, the index untouched. For inner chunks of one size (no
         * compression); others fall back as {@link dev.shardkit.spi.codec.WritePolicy.Strategy#IN_PLACE} does.
         */
        IN_PLACE,
        /**
         * The slices of an inner chunk, or as many as the budget allows, go behind what the shard has, followed by a
         * new index. What the old index took, and inner chunks that are written in several steps, leaves bytes unused
         * until the shard is compacted (the write policy says when).
         */
        APPEND
    }

    /** Whether the array may become longer. */
    public enum Growth {
        /** It stays as long as it is. */
        FIXED,
        /**
         * It grows, and by default goes on behind its end, as it is stored when slices are written. Its length becomes
         * that of the slices that are committed, after they are: whoever reads it never sees slices that are not there
         * yet (but where the store has no locks: there the array becomes longer first, and shows the fill value
         * meanwhile). Any number of writers may make an array longer at once; nothing is lost.
         */
        GROW
    }

    /** Technique chosen by itself, a budget of 256 MiB, all of the array, which does not grow. */
    public static SliceOptions defaults() {
        return DEFAULTS;
    }

    /** The same with another technique. */
    public SliceOptions withTechnique(Technique other) {
        return new SliceOptions(other, budgetBytes, region, growth);
    }

    /** The same with another growth. */
    public SliceOptions withGrowth(Growth other) {
        return new SliceOptions(technique, budgetBytes, region, other);
    }

    /**
     * The same with another bound on the bytes of slices that wait in memory; at least one slice always does. While
     * they are written, at most about as much again is needed, and for in-place and append writes about a quarter of it
     * (or 8 MiB).
     */
    public SliceOptions withBudgetBytes(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("a budget of " + bytes + " bytes");
        }
        return new SliceOptions(technique, bytes, region, growth);
    }

    /**
     * The same for slices of a region: the first lies at its origin, and of an array that does not grow the last at its
     * end.
     */
    public SliceOptions withRegion(Box other) {
        return new SliceOptions(technique, budgetBytes, other, growth);
    }

    /** How slices get into shards. */
    public Technique technique() {
        return technique;
    }

    /** How many bytes of slices may wait. */
    public long budgetBytes() {
        return budgetBytes;
    }

    /** Where the slices lie; empty: anywhere. */
    public Optional<Box> region() {
        return Optional.ofNullable(region);
    }

    /** Whether the array may become longer. */
    public Growth growth() {
        return growth;
    }
}
