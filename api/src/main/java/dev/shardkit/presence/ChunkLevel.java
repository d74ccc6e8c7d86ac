package dev.shardkit.presence;

import dev.shardkit.region.ChunkPlans;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.ShardAccess;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The grid that the chunks of one level of nested sharding form over the whole array. Computes where the chunks lie,
 * and {@link #exists} looks up whether a chunk is stored. Level 0 contains the stored chunks, level 1 the inner chunks
 * of shards, level 2 those of nested shards. The shape of inner chunks divides the shape of every shard, so the grid is
 * regular from level 1 on, for any chunk grid. Immutable, thread-safe.
 */
public final class ChunkLevel {
    private final ChunkPlans chunks;
    private final Box domain;
    private final int level;
    /** The shape of a chunk in the array's coordinates; empty at level 0. */
    private final long[] chunkShape;

    private ChunkLevel(ChunkPlans chunks, Box domain, int level) {
        this.chunks = chunks;
        this.domain = domain;
        this.level = level;
        this.chunkShape = chunkShape(chunks.firstCodec(), level);
    }

    /** Returns the deepest level whose chunks are boxes of the array; 0 without sharding. */
    public static int deepest(ChunkPlans chunks) {
        int levels = 0;
        Optional<ShardAccess> shard = shard(chunks.firstCodec());
        for (; shard.isPresent(); shard = shard(shard.get().inner())) {
            levels++;
        }
        return levels;
    }

    public static ChunkLevel of(ChunkPlans chunks, Box domain, int level) {
        return new ChunkLevel(chunks, domain, level);
    }

    /**
     * Returns the shard that {@code codec} encodes, if each of its inner chunks holds a box of the chunk: codecs around
     * the shard may scatter the elements.
     */
    public static Optional<ShardAccess> shard(ChunkCodec codec) {
        Optional<ShardAccess> shard = codec.shardAccess();
        return shard.filter(s -> s.decoded(Box.of(s.innerShape())).isPresent());
    }

    /** Returns the shape of the chunks {@code level} levels below the chunks of {@code codec}, in the array's order. */
    private static long[] chunkShape(ChunkCodec codec, int level) {
        if (level == 0) {
            return codec.type().shape();
        }
        ShardAccess shard = shard(codec).orElseThrow();
        return shard.decoded(Box.of(chunkShape(shard.inner(), level - 1)))
                .orElseThrow()
                .shape();
    }

    public ChunkPlans chunks() {
        return chunks;
    }

    public int level() {
        return level;
    }

    /** Returns the cells of this level's chunks that {@code region} touches. */
    public Box touched(Box region) {
        if (level == 0) {
            return chunks.grid().touched(region);
        }
        long[] first = new long[chunkShape.length];
        long[] count = new long[chunkShape.length];
        if (!region.isEmpty()) {
            for (int d = 0; d < chunkShape.length; d++) {
                first[d] = region.origin(d) / chunkShape[d];
                count[d] = (region.end(d) - 1) / chunkShape[d] - first[d] + 1;
            }
        }
        return Box.of(first, count);
    }

    /** Returns the cell of the chunk at {@code box}, from level 1 on. */
    public long[] cell(Box box) {
        long[] cell = new long[chunkShape.length];
        Arrays.setAll(cell, d -> box.origin(d) / chunkShape[d]);
        return cell;
    }

    /** Returns the box of the chunk at {@code cell}, clipped to the array. */
    public Box box(long[] cell) {
        if (level == 0) {
            return inside(chunks.grid().chunk(cell));
        }
        long[] origin = new long[chunkShape.length];
        Arrays.setAll(origin, d -> cell[d] * chunkShape[d]);
        long[] shape = new long[chunkShape.length];
        Arrays.setAll(shape, d -> Math.min(chunkShape[d], domain.end(d) - origin[d]));
        return Box.of(origin, shape);
    }

    /** Returns the part of {@code box} that is inside the array. */
    public Box inside(Box box) {
        return box.intersect(domain);
    }

    /** Returns {@code cell}. Throws {@code IndexOutOfBoundsException} if it is outside the grid. */
    public long[] check(long[] cell) {
        Box cells = touched(domain);
        boolean inside = cell.length == cells.rank();
        for (int d = 0; inside && d < cell.length; d++) {
            inside = cell[d] >= 0 && cell[d] < cells.end(d);
        }
        if (!inside || cells.isEmpty()) {
            throw new IndexOutOfBoundsException("chunk " + Arrays.toString(cell) + " of a grid of "
                    + Arrays.toString(cells.shape()) + " (level " + level + ")");
        }
        return cell.clone();
    }

    /**
     * Returns whether the chunk at {@code cell} exists. Reads the index of one shard per level; at level 0, one byte of
     * the chunk.
     */
    public Plan<Boolean> exists(long[] cell) {
        if (level == 0) {
            return chunks.source(cell).then(ChunkLevel::size).map(OptionalLong::isPresent);
        }
        long[] origin = new long[cell.length];
        long[] ones = new long[cell.length];
        Arrays.setAll(origin, d -> cell[d] * chunkShape[d]);
        Arrays.fill(ones, 1);
        Box element = Box.of(origin, ones);
        long[] storedCell = chunks.grid().touched(element).origin();
        Box chunk = chunks.grid().chunk(storedCell);
        return chunks.source(storedCell)
                .then(s -> locate(chunks.codec(storedCell), s, element.relativeTo(chunk), level))
                .map(s -> !s.isAbsent());
    }

    /**
     * Returns the source of the chunk that contains {@code element}, {@code levels} levels below {@code source}; absent
     * if it does not exist.
     */
    private static Plan<Source> locate(ChunkCodec codec, Source source, Box element, int levels) {
        if (levels == 0 || source.isAbsent()) {
            return Plan.done(source);
        }
        ShardAccess shard = shard(codec).orElseThrow();
        Box stored = shard.encoded(element).orElseThrow();
        long[] inner = shard.innerShape();
        long[] cell = stored.cells(inner).origin();
        Box innerChunk = Box.cell(cell, inner);
        return shard.locate(source, cell)
                .then(found -> locate(shard.inner(), found, stored.relativeTo(innerChunk), levels - 1));
    }

    /** Returns the size of {@code source}, if necessary by reading its last byte; empty if it does not exist. */
    public static Plan<OptionalLong> size(Source source) {
        if (source.isAbsent() || source.size().isPresent()) {
            return Plan.done(source.size());
        }
        return source.read(
                new ByteRange.Suffix(1),
                (result, scratch) ->
                        result instanceof ReadResult.Found f ? OptionalLong.of(f.sourceSize()) : OptionalLong.empty());
    }
}
