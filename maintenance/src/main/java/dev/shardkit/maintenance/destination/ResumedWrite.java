package dev.shardkit.maintenance.destination;

import dev.shardkit.ChunkBitmap;
import dev.shardkit.ChunkPresence;
import dev.shardkit.ZarrArray;
import dev.shardkit.engine.run.Engine;
import dev.shardkit.maintenance.Progress;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.NoResult;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Resumes an interrupted run that wrote a new array: writes the chunks that the run has not stored. A stored chunk is
 * kept only if it is intact: its shard index must be valid or, without shards, the chunk must decode. Stores publish
 * whole objects, but after a power failure a part of an object may be missing. Chunks of fill values are not stored, so
 * they are computed again. Used once.
 */
public final class ResumedWrite {
    private final ZarrArray array;
    private final LazyFeed.Loader loader;
    private final boolean loadsWhole;
    private final @Nullable ZarrArray source;
    private final ChunkPresence chunks;
    private final Deque<CompletableFuture<NoResult>> running = new ArrayDeque<>();

    private ResumedWrite(ZarrArray array, LazyFeed.Loader loader, boolean loadsWhole, @Nullable ZarrArray source) {
        this.array = array;
        this.loader = loader;
        this.loadsWhole = loadsWhole;
        this.source = source;
        this.chunks = array.presence().atLevel(0);
    }

    /**
     * Writes the missing chunks of {@code array} with elements from {@code loader}.
     *
     * @param path the path that {@code progress} receives
     * @throws dev.shardkit.spi.error.StoreException if the store fails
     */
    public static void run(ZarrArray array, LazyFeed.Loader loader, String path, Progress progress) {
        run(array, loader, number -> true, path, progress);
    }

    /**
     * Writes the missing ones of the wanted chunks of {@code array}. Lists the store to find chunks that are stored.
     *
     * @param wanted accepts the numbers of wanted chunks, in C order
     */
    public static void run(
            ZarrArray array, LazyFeed.Loader loader, LongPredicate wanted, String path, Progress progress) {
        ResumedWrite write = new ResumedWrite(array, loader, false, null);
        ChunkBitmap stored = write.chunks.bitmap();
        write.write(0, Shapes.count(write.chunks.cells().shape()), wanted, stored::get, path, progress);
    }

    /**
     * Writes the missing ones of the wanted chunks of {@code array} in a range. Checks with a request for each whether
     * it is stored.
     *
     * @param first the number of the first chunk, in C order
     * @param end the number after the last chunk
     * @param wanted accepts the numbers of wanted chunks, in C order
     * @throws dev.shardkit.spi.error.StoreException if the store fails
     */
    public static void run(
            ZarrArray array,
            LazyFeed.Loader loader,
            long first,
            long end,
            LongPredicate wanted,
            String path,
            Progress progress) {
        ResumedWrite write = new ResumedWrite(array, loader, false, null);
        write.write(first, end, wanted, write.chunks::exists, path, progress);
    }

    /**
     * Writes the missing ones of the wanted chunks of {@code array}, a copy of {@code source}, in a range.
     *
     * @param loadsWhole whether the elements of a chunk are loaded at once, regardless of their size
     * @return the number of wanted chunks that an earlier run had written
     */
    public static long copy(
            ZarrArray source,
            ZarrArray array,
            boolean loadsWhole,
            long first,
            long end,
            LongPredicate wanted,
            String path,
            Progress progress) {
        ResumedWrite write = new ResumedWrite(array, LazyFeed.confirmed(source), loadsWhole, source);
        return write.write(first, end, wanted, write.chunks::exists, path, progress);
    }

    private long write(
            long first, long end, LongPredicate wanted, Predicate<long[]> isStored, String path, Progress progress) {
        long[] grid = chunks.cells().shape();
        long count = end - first;
        long skipped = 0;
        try {
            for (long i = 0; i < count; i++) {
                if (!wanted.test(first + i)) {
                    continue;
                }
                progress.at(path, i, count);
                long[] cell = Shapes.unravel(first + i, grid);
                Box box = chunks.box(cell);
                if (isStored.test(cell) && isIntact(box)) {
                    skipped++;
                } else {
                    awaitAtMost(array.options().parallelism() - 1);
                    LazyFeed.Loader chunkLoader = part -> loader.load(part.translate(box.origin()));
                    LazyFeed feed =
                            loadsWhole ? LazyFeed.loadingWholeChunks(chunkLoader) : LazyFeed.of(array, chunkLoader);
                    running.add(
                            array.writeAsync(box, source == null ? feed : feed.forCopy(source, array, box.origin())));
                }
            }
            awaitAtMost(0);
            progress.at(path, count, count);
            return skipped;
        } finally {
            running.forEach(write -> write.cancel(true));
        }
    }

    /** Waits until at most {@code max} writes are running. */
    private void awaitAtMost(int max) {
        while (running.size() > Math.max(0, max)) {
            Engine.await(running.remove(), "writing the missing chunks of " + array.location());
        }
    }

    /** Returns whether a stored chunk is intact. Counting the inner chunks of a shard reads and checks its index. */
    private boolean isIntact(Box box) {
        try {
            if (array.isSharded()) {
                array.presence(box).atLevel(1).count();
            } else {
                array.read(box);
            }
            return true;
        } catch (CorruptDataException e) {
            return false;
        }
    }
}
