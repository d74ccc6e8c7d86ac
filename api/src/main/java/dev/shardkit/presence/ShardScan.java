package dev.shardkit.presence;

import dev.shardkit.region.ChunkPlans;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.codec.ShardAccess.Extent;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.Source;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Finds the inner chunks that a stored shard has at a given level of nesting, by its indexes. A nested shard is scanned
 * in steps, each within a budget of index entries. A step returns the position of the next step. Each step reads the
 * outer index again, from the cache, so that offsets of one version of the object are never used with another version.
 * Immutable.
 */
public final class ShardScan {
    /** The largest number of inner shards that a step scans. */
    private static final int MAX_SHARDS_AT_ONCE = 256;
    /** The largest number of inner chunks that a step returns for one index. */
    private static final int MAX_ENTRIES = 1 << 22;

    private final ChunkLevel level;
    private final long budget;

    /**
     * Creates scans. A step reads up to {@code budget} index entries in addition to the outermost index, or one inner
     * shard.
     */
    public ShardScan(ChunkLevel level, long budget) {
        this.level = level;
        this.budget = budget;
    }

    /**
     * A stored or nested shard. Its codec maps boxes between the chunk ({@code decoded}) and the shard
     * ({@code encoded}), whose dimensions may have another order.
     *
     * @param needed the required part, in the coordinates of the chunk that the shard encodes
     * @param toArray maps a box of that chunk to the array's coordinates
     */
    private record Shard(ShardAccess codec, Source source, Box needed, UnaryOperator<Box> toArray) {
        /** Returns the box of inner chunk {@code number}, in the array's coordinates. */
        public Box box(long number) {
            return toArray.apply(codec.decoded(innerChunk(number)).orElseThrow());
        }

        private Box innerChunk(long number) {
            return Box.cell(Shapes.unravel(number, codec.gridShape()), codec.innerShape());
        }

        /** Returns the inner shard that is inner chunk {@code number}, at an extent of this shard's bytes. */
        public Shard child(long number, long offset, long size, Source bytes) {
            Box innerBox = innerChunk(number);
            Box part = codec.encoded(needed).orElseThrow().intersect(innerBox).relativeTo(innerBox);
            return new Shard(
                    ChunkLevel.shard(codec.inner()).orElseThrow(),
                    bytes.inner(Shapes.unravel(number, codec.gridShape()), offset, size),
                    part,
                    box -> toArray.apply(codec.decoded(box.within(innerBox)).orElseThrow()));
        }
    }

    /**
     * The entries of an index.
     *
     * @param words the number, offset and size of each inner chunk in turn
     * @param next the position at which to continue if there are too many entries; otherwise null
     */
    private record Entries(Source bytes, long[] words, long @Nullable [] next) {
        public int count() {
            return words.length / 3;
        }

        public long number(int i) {
            return words[3 * i];
        }

        public long offset(int i) {
            return words[3 * i + 1];
        }

        public long size(int i) {
            return words[3 * i + 2];
        }
    }

    /** The inner chunks found in one index. Immutable. */
    public static final class Found {
        private final ChunkLevel level;
        private final Shard shard;
        private final Entries entries;
        private final String key;
        private final @Nullable Extent shardExtent;

        private Found(ChunkLevel level, Shard shard, Entries entries, String key) {
            this.level = level;
            this.shard = shard;
            this.entries = entries;
            this.key = key;
            this.shardExtent = SourceByteRanges.of(entries.bytes()).orElse(null);
        }

        public int count() {
            return entries.count();
        }

        /** Returns the cell of chunk {@code i}. */
        public long[] cell(int i) {
            return level.cell(shard.box(entries.number(i)));
        }

        public FoundChunk chunk(int i) {
            Box box = shard.box(entries.number(i));
            Extent extent =
                    shardExtent == null ? null : new Extent(shardExtent.offset() + entries.offset(i), entries.size(i));
            return new FoundChunk(level.cell(box), level.inside(box), key, extent, entries.size(i));
        }
    }

    /**
     * The result of a step.
     *
     * @param next the position of the next step; null after the last one
     */
    public record Step(List<Found> found, long @Nullable [] next) {
        public static final Step NOTHING = new Step(List.of(), null);
    }

    /**
     * Plans a step of the shard at {@code cell}, within {@code region}.
     *
     * @param position the position from the last step: the number of an inner chunk at each level; empty to begin
     */
    public Plan<Step> step(long[] cell, Box region, long[] position) {
        ChunkPlans chunks = level.chunks();
        Box chunk = chunks.grid().chunk(cell);
        Box needed = chunk.intersect(region).relativeTo(chunk);
        String key = chunks.storedKey(cell);
        ShardAccess codec = ChunkLevel.shard(chunks.codec(cell)).orElseThrow();
        return chunks.source(cell)
                .then(source -> source.isAbsent()
                        ? Plan.done(Step.NOTHING)
                        : step(
                                new Shard(codec, source, needed, box -> box.translate(chunk.origin())),
                                level.level(),
                                position,
                                key));
    }

    /**
     * Plans a step of a shard.
     *
     * @param levels the levels from this shard to the chunks to be found: 1 if they are its own inner chunks
     * @param position as in {@link #step(long[], Box, long[])}, from this shard's level on
     */
    private Plan<Step> step(Shard shard, int levels, long[] position, String key) {
        return shard.codec().open(shard.source()).then(opened -> {
            if (opened.isEmpty()) {
                return Plan.done(Step.NOTHING);
            }
            Entries entries = entries(shard, opened.get(), position.length == 0 ? 0 : position[0]);
            return levels == 1
                    ? Plan.done(new Step(List.of(new Found(level, shard, entries, key)), entries.next()))
                    : scanInner(shard, entries, levels - 1, position, key);
        });
    }

    /** Scans as many inner shards at once as the budget allows. Nested shards are scanned one by one. */
    private Plan<Step> scanInner(Shard shard, Entries entries, int levels, long[] position, String key) {
        if (entries.count() == 0) {
            return Plan.done(Step.NOTHING);
        }
        ShardAccess child = ChunkLevel.shard(shard.codec().inner()).orElseThrow();
        long entriesPerShard = Shapes.count(child.gridShape());
        int maxShards = levels > 1 || child.isReadWhole()
                ? 1
                : (int) Math.max(1, Math.min(MAX_SHARDS_AT_ONCE, budget / entriesPerShard));
        int count = Math.min(maxShards, entries.count());
        boolean resumesInner = position.length > 1 && entries.number(0) == position[0];
        long[] innerPosition = resumesInner ? Arrays.copyOfRange(position, 1, position.length) : new long[0];
        return Plan.<Step>all(
                        count,
                        i -> step(
                                shard.child(
                                        entries.number((int) i),
                                        entries.offset((int) i),
                                        entries.size((int) i),
                                        entries.bytes()),
                                levels,
                                i == 0 ? innerPosition : new long[0],
                                key))
                .map(steps -> {
                    List<Found> found = new ArrayList<>();
                    steps.forEach(s -> found.addAll(s.found()));
                    return new Step(found, next(entries, steps.get(0), count));
                });
    }

    /** Returns the position after a scan of {@code count} inner shards, whose first step was {@code first}. */
    private static long @Nullable [] next(Entries entries, Step first, int count) {
        long[] inner = first.next();
        if (inner != null) { // only if a single inner shard was scanned: it is continued
            long[] next = new long[inner.length + 1];
            next[0] = entries.number(0);
            System.arraycopy(inner, 0, next, 1, inner.length);
            return next;
        }
        return count < entries.count() ? new long[] {entries.number(count)} : entries.next();
    }

    /**
     * Returns the entries of the inner chunks that are stored and needed, from number {@code first} on, after checking
     * them.
     */
    private static Entries entries(Shard shard, ShardAccess.Opened opened, long first) {
        Box touched = touched(shard);
        long[] cells = shard.codec().gridShape();
        boolean isWhole = touched.equals(Box.of(cells));
        long[] words = new long[3 * 16]; // grows with the entries
        int size = 0;
        long count = touched.count();
        for (long i = isWhole ? first : 0; i < count; i++) { // if all cells are touched, i is the number
            long number = isWhole ? i : Shapes.ravel(touched.at(i), cells);
            Optional<Extent> extent =
                    number < first ? Optional.empty() : opened.index().extent(number);
            if (extent.isEmpty()) {
                continue;
            }
            if (size == 3 * MAX_ENTRIES) {
                return new Entries(opened.bytes(), words, new long[] {number});
            }
            SourceByteRanges.check(
                    extent.get(), opened.index(), shard.source().location(), Shapes.unravel(number, cells));
            words = size == words.length ? Arrays.copyOf(words, Math.min(2 * size, 3 * MAX_ENTRIES)) : words;
            words[size++] = number;
            words[size++] = extent.get().offset();
            words[size++] = extent.get().size();
        }
        return new Entries(opened.bytes(), Arrays.copyOf(words, size), null);
    }

    /** Returns the cells of the inner chunks that the needed part touches. */
    private static Box touched(Shard shard) {
        Box part = shard.codec().encoded(shard.needed()).orElseThrow();
        long[] inner = shard.codec().innerShape();
        long[] first = new long[inner.length];
        long[] count = new long[inner.length];
        if (!part.isEmpty()) {
            for (int d = 0; d < inner.length; d++) {
                first[d] = part.origin(d) / inner[d];
                count[d] = (part.end(d) - 1) / inner[d] - first[d] + 1;
            }
        }
        return Box.of(first, count);
    }
}
