package dev.shardkit;

import dev.shardkit.presence.ChunkLevel;
import dev.shardkit.presence.FoundChunk;
import dev.shardkit.presence.PresenceWalk;
import dev.shardkit.region.StoredArray;
import dev.shardkit.region.StoredShapeCheck;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.array.Box;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Finds the chunks of an array that exist: its innermost inner chunks, or those of another {@linkplain #atLevel level}.
 * Reads shard indexes only (Zarr sharding codec, "Binary shard format"), several in one wave of requests, and uses
 * cached indexes. Without sharding, a chunk exists if its object exists: objects are listed if the store supports
 * listing and the region has many, otherwise the last byte of each is requested. With storage transformers, each chunk
 * is looked up through them.
 *
 * <p>A chunk that exists may hold only the fill value. A chunk that does not exist reads as the fill value. The
 * {@code nonempty_chunks} attribute is not used; see {@link NonemptyChunksAttribute}.
 *
 * <p>All results are lazy, so arrays may have any number of chunks. Memory is bounded by a few indexes, plus eight
 * bytes for each listed object if all chunks are in one directory. A shard inside a compressor is read entirely and
 * held in memory. Results come in C order of the shards, then in C order of the inner chunks of each shard, at every
 * level. The order inside a shard is that of its index, so {@code transpose} before the sharding codec changes it.
 * While other writers work, the result of a shard is its state when it was read. Immutable and thread-safe.
 */
public final class ChunkPresence implements Iterable<PresentChunk> {
    /** The memory limit of a bitmap by default. */
    private static final long BITMAP_BYTES = 64L << 20;

    /** The largest number of chunks in a batch of {@link #streamAsync}. */
    private static final int BATCH_SIZE = 1024;

    private final StoredNode node;
    private final ChunkLevel level;
    /** The whole array. */
    private final Box domain;
    /** The part of the array whose chunks are searched. */
    private final Box region;

    /** Checks that the array was neither removed nor replaced when a read finds no object. */
    private final StoredShapeCheck shape;

    ChunkPresence(StoredArray array, Box domain, Box region) {
        this(
                array.node(),
                ChunkLevel.of(array.chunks(), domain, ChunkLevel.deepest(array.chunks())),
                domain,
                region,
                array.shape());
    }

    private ChunkPresence(StoredNode node, ChunkLevel level, Box domain, Box region, StoredShapeCheck shape) {
        this.node = node;
        this.level = level;
        this.domain = domain;
        this.region = region;
        this.shape = shape;
    }

    /**
     * Returns the presence of another level: 0 for stored objects (shards, or chunks without sharding), 1 for the inner
     * chunks of shards, 2 for those of nested shards, up to {@link #levels}, the default.
     *
     * @throws IllegalArgumentException if the array has no such level
     */
    public ChunkPresence atLevel(int depth) {
        if (depth < 0 || depth > levels()) {
            throw new IllegalArgumentException("level " + depth + " of an array with levels 0 to " + levels());
        }
        return new ChunkPresence(node, ChunkLevel.of(level.chunks(), domain, depth), domain, region, shape);
    }

    /** Returns the number of levels of inner chunks: 0 without sharding, more than 1 for nested shards. */
    public int levels() {
        return ChunkLevel.deepest(level.chunks());
    }

    /** Returns the level. */
    public int level() {
        return level.level();
    }

    /** Returns the cells that the region touches, in the grid of this level's chunks over the whole array. */
    public Box cells() {
        return level.touched(region);
    }

    /** Returns the box of the chunk at {@code cell} of this level's grid, clipped to the array. */
    public Box box(long... cell) {
        return level.box(level.check(cell));
    }

    /**
     * Returns whether the chunk at {@code cell} of this level's grid exists. Reads one index per level, or one byte at
     * level 0, and checks only this chunk's entry. The cell may lie outside the region.
     *
     * @throws IndexOutOfBoundsException if the array has no such chunk
     */
    public boolean exists(long... cell) {
        long[] checked = level.check(cell);
        return node.session().engine().call(() -> level.exists(checked), shape.reading());
    }

    /** Asynchronous form of {@link #exists}. */
    public CompletableFuture<Boolean> existsAsync(long... cell) {
        long[] checked = level.check(cell);
        return node.session().engine().start(() -> level.exists(checked), shape.reading());
    }

    /** Streams the chunks that exist and touch the region. Searches while the stream is consumed. */
    public Stream<PresentChunk> stream() {
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(iterator(), Spliterator.ORDERED), false);
    }

    /** Iterates over the chunks that exist and touch the region. Searches while the iterator is consumed. */
    @Override
    public Iterator<PresentChunk> iterator() {
        return new ChunkIterator();
    }

    /** Counts the chunks that exist and touch the region. */
    public long count() {
        PresenceWalk walk = walk(PresenceWalk.Facts.CELLS);
        long count = 0;
        for (Optional<List<PresenceWalk.Batch>> found = walk.next(); found.isPresent(); found = walk.next()) {
            count += found.get().stream().mapToLong(PresenceWalk.Batch::count).sum();
        }
        return count;
    }

    /** Returns a bitmap over {@link #cells} of the chunks that exist. It has at most 64 MiB, which is 2^29 chunks. */
    public ChunkBitmap bitmap() {
        return bitmap(BITMAP_BYTES);
    }

    /**
     * Returns a bitmap over {@link #cells} of the chunks that exist.
     *
     * @throws IllegalArgumentException before reading, if the bitmap needs more than {@code maxBytes} bytes
     */
    public ChunkBitmap bitmap(long maxBytes) {
        ChunkBitmap bitmap = new ChunkBitmap(cells(), maxBytes);
        PresenceWalk walk = walk(PresenceWalk.Facts.CELLS);
        for (Optional<List<PresenceWalk.Batch>> found = walk.next(); found.isPresent(); found = walk.next()) {
            for (PresenceWalk.Batch batch : found.get()) {
                for (int i = 0; i < batch.count(); i++) {
                    bitmap.set(batch.cell(i));
                }
            }
        }
        return bitmap;
    }

    /** Asynchronous form of {@link #bitmap()}. Cancelling the future stops it between steps. */
    public CompletableFuture<ChunkBitmap> bitmapAsync() {
        return node.session().async(this::bitmap);
    }

    PresenceWalk walk(PresenceWalk.Facts facts) {
        return new PresenceWalk(node, shape, level, region, facts);
    }

    /** Asynchronous form of {@link #stream}. A batch is read when it is asked for. */
    public AsyncBatches<PresentChunk> streamAsync() {
        AtomicReference<ChunkIterator> position = new AtomicReference<>(); // calls may run on different workers
        return () -> node.session().async(() -> {
            ChunkIterator chunks = position.updateAndGet(existing -> existing == null ? new ChunkIterator() : existing);
            List<PresentChunk> chunksOfBatch = new ArrayList<>();
            if (chunks.hasNext()) {
                while (chunksOfBatch.size() < BATCH_SIZE && chunks.isAvailable()) {
                    chunksOfBatch.add(chunks.next());
                }
            }
            return chunksOfBatch;
        });
    }

    /** Iterates over the chunks one by one. */
    private final class ChunkIterator implements Iterator<PresentChunk> {
        private final PresenceWalk walk = walk(PresenceWalk.Facts.SIZES);
        private Iterator<PresenceWalk.Batch> batches =
                List.<PresenceWalk.Batch>of().iterator();
        private PresenceWalk.@Nullable Batch batch;
        private int next;

        /** Returns whether the next chunk is available without a read. */
        boolean isAvailable() {
            return batch != null && next < batch.count();
        }

        @Override
        public boolean hasNext() {
            while (!isAvailable()) {
                if (batches.hasNext()) {
                    batch = batches.next();
                    next = 0;
                    continue;
                }
                Optional<List<PresenceWalk.Batch>> found = walk.next();
                if (found.isEmpty()) {
                    return false;
                }
                batches = found.get().iterator();
                batch = null;
            }
            return true;
        }

        @Override
        public PresentChunk next() {
            if (!hasNext() || batch == null) {
                throw new NoSuchElementException();
            }
            FoundChunk found = batch.chunk(next++);
            return new PresentChunk(
                    found.cell(), found.box(), found.key(), Optional.ofNullable(found.extent()), found.size());
        }
    }

    @Override
    public String toString() {
        return "chunks of level " + level() + " in " + region;
    }
}
