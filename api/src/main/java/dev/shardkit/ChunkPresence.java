package dev.shardkit;

import dev.shardkit.presence.ChunkLevel;
import dev.shardkit.presence.FoundChunk;
import dev.shardkit.presence.PresenceWalk;
import dev.shardkit.region.Chunks;
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
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Which chunks of an array exist: its innermost inner chunks, or those of another {@linkplain #atLevel level}. Found
 * from shard indexes alone (Zarr sharding codec, "Binary shard format"), several in one wave of requests, and those
 * that the session keeps are used; no inner chunk is read. Without sharding, a chunk exists if its object does: objects
 * are listed where the store can list and the region has many, otherwise each is asked for its last byte. With storage
 * transformers each chunk is looked for through them.
 *
 * <p>A chunk that exists may hold nothing but the fill value; one that does not exist reads as it. Not for what a
 * {@code nonempty_chunks} attribute claims: that is {@link ChunkManifest}.
 *
 * <p>All of it is lazy, so arrays may have any number of chunks: memory is that of a few indexes, whatever is asked for
 * (and, where all chunks lie in one directory, eight bytes a listed object); a shard behind a compressor is read and
 * held whole. Order: shards in C order, and so the inner chunks of each, at every level, in the coordinates of the
 * shard as stored. What is found while others write is what was there when its shard was looked at. Immutable and
 * thread-safe.
 */
public final class ChunkPresence implements Iterable<PresentChunk> {
    /** The memory for a bitmap, unless more is allowed. */
    private static final long BITMAP_BYTES = 64L << 20;

    private static final int AT_ONCE = 1024;

    private final StoredNode node;
    private final ChunkLevel level;
    private final Box domain;
    private final Box region;

    ChunkPresence(StoredNode node, Chunks chunks, Box domain, Box region) {
        this(node, ChunkLevel.of(chunks, domain, ChunkLevel.deepest(chunks)), domain, region);
    }

    private ChunkPresence(StoredNode node, ChunkLevel level, Box domain, Box region) {
        this.node = node;
        this.level = level;
        this.domain = domain;
        this.region = region;
    }

    /**
     * The same for another level: 0 for what is stored as one object (shards, or chunks without sharding), 1 for the
     * inner chunks of shards, 2 for those of shards within shards, up to {@link #levels}, which is the default.
     *
     * @throws IllegalArgumentException if the array has no such level
     */
    public ChunkPresence atLevel(int depth) {
        if (depth < 0 || depth > levels()) {
            throw new IllegalArgumentException("level " + depth + " of an array with levels 0 to " + levels());
        }
        return new ChunkPresence(node, ChunkLevel.of(level.chunks(), domain, depth), domain, region);
    }

    /** How many levels of inner chunks there are: 0 without sharding, more than 1 with shards in shards. */
    public int levels() {
        return ChunkLevel.deepest(level.chunks());
    }

    /** The level that is looked at. */
    public int level() {
        return level.level();
    }

    /** The cells that the region touches, in the grid of this level's chunks over the whole array. */
    public Box cells() {
        return level.touched(region);
    }

    /** Where the chunk at {@code cell} of this level's grid lies in the array, cut to the array. */
    public Box box(long... cell) {
        return level.box(level.check(cell));
    }

    /**
     * Whether the chunk at {@code cell} of this level's grid exists: one index read a level, and of the entries only
     * its own is believed or refused; at level 0 one small read. The cell may lie outside of the region.
     *
     * @throws IndexOutOfBoundsException if the array has no such chunk
     */
    public boolean exists(long... cell) {
        long[] own = level.check(cell);
        return node.call(() -> level.exists(own));
    }

    /** As {@link #exists}, without waiting. */
    public CompletableFuture<Boolean> existsAsync(long... cell) {
        long[] own = level.check(cell);
        return node.start(() -> level.exists(own));
    }

    /** Those that exist and have something in the region. Looked for as the stream is consumed. */
    public Stream<PresentChunk> stream() {
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(iterator(), Spliterator.ORDERED), false);
    }

    /** Those that exist and have something in the region. Looked for as the iterator is asked. */
    @Override
    public Iterator<PresentChunk> iterator() {
        return new Chunk();
    }

    /** How many exist. */
    public long count() {
        PresenceWalk walk = walk(PresenceWalk.Wanted.CELLS);
        long count = 0;
        for (Optional<List<PresenceWalk.Batch>> found = walk.next(); found.isPresent(); found = walk.next()) {
            count += found.get().stream().mapToLong(PresenceWalk.Batch::count).sum();
        }
        return count;
    }

    /** Those that exist as a bitmap over {@link #cells}, of at most 64 MiB, which is 2^29 chunks. */
    public ChunkBitmap bitmap() {
        return bitmap(BITMAP_BYTES);
    }

    /**
     * Those that exist as a bitmap over {@link #cells}.
     *
     * @throws IllegalArgumentException before anything is read, if it needs more than {@code mostBytes} bytes
     */
    public ChunkBitmap bitmap(long mostBytes) {
        ChunkBitmap bitmap = new ChunkBitmap(cells(), mostBytes);
        PresenceWalk walk = walk(PresenceWalk.Wanted.CELLS);
        for (Optional<List<PresenceWalk.Batch>> found = walk.next(); found.isPresent(); found = walk.next()) {
            for (PresenceWalk.Batch batch : found.get()) {
                for (int i = 0; i < batch.count(); i++) {
                    bitmap.set(batch.cell(i));
                }
            }
        }
        return bitmap;
    }

    /** As {@link #bitmap()}, without waiting; cancelling the future ends it between steps. */
    public CompletableFuture<ChunkBitmap> bitmapAsync() {
        return node.session().async(this::bitmap);
    }

    PresenceWalk walk(PresenceWalk.Wanted wanted) {
        return new PresenceWalk(node, level, region, wanted);
    }

    /** The next of {@code walk}, some at once, without waiting; for one caller at a time. */
    CompletableFuture<List<PresentChunk>> next(AsyncWalk walk) {
        return node.session().async(() -> {
            Chunk chunks = walk.chunks.orElseGet(Chunk::new);
            walk.chunks = Optional.of(chunks);
            List<PresentChunk> some = new ArrayList<>();
            walk.ended = !chunks.hasNext();
            while (some.size() < AT_ONCE && chunks.isHeld()) {
                some.add(chunks.next());
            }
            return some;
        });
    }

    /** Where an asynchronous walk is. */
    static final class AsyncWalk {
        private Optional<Chunk> chunks = Optional.empty();
        private volatile boolean ended;

        boolean hasEnded() {
            return ended;
        }
    }

    /** One after the other. */
    private final class Chunk implements Iterator<PresentChunk> {
        private final PresenceWalk walk = walk(PresenceWalk.Wanted.SIZES);
        private Iterator<PresenceWalk.Batch> batches =
                List.<PresenceWalk.Batch>of().iterator();
        private Optional<PresenceWalk.Batch> batch = Optional.empty();
        private int next;

        /** Whether there is one for which nothing has to be read. */
        boolean isHeld() {
            return batch.isPresent() && next < batch.get().count();
        }

        @Override
        public boolean hasNext() {
            while (batch.isEmpty() || next == batch.get().count()) {
                if (batches.hasNext()) {
                    batch = Optional.of(batches.next());
                    next = 0;
                    continue;
                }
                Optional<List<PresenceWalk.Batch>> found = walk.next();
                if (found.isEmpty()) {
                    return false;
                }
                batches = found.get().iterator();
                batch = Optional.empty();
            }
            return true;
        }

        @Override
        public PresentChunk next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            FoundChunk found = batch.orElseThrow().chunk(next++);
            return new PresentChunk(found.cell(), found.box(), found.key(), found.extent(), found.size());
        }
    }

    @Override
    public String toString() {
        return "chunks of level " + level() + " in " + region;
    }
}
