package dev.shardkit.maintenance.chunks;

import dev.shardkit.ZarrArray;
import dev.shardkit.engine.run.Engine;
import dev.shardkit.region.write.RegionWrites;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.NoResult;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Writes disjoint boxes of an array. Writes several small boxes at once, because each write waits for the disk or the
 * network. Writes large boxes one after the other, because each uses all threads itself. Used by one thread.
 * {@link #close} cancels unfinished writes and waits until they have ended.
 */
public final class BoxWrites implements AutoCloseable {
    /** The largest number of small boxes that are written at once. */
    private static final int MAX_AT_ONCE = 16;
    /** The largest size of a small box in bytes. */
    private static final long SMALL = 1 << 20;

    private final ZarrArray target;
    private final Deque<CompletableFuture<NoResult>> running = new ArrayDeque<>();

    /** Creates writes to an array. */
    public BoxWrites(ZarrArray target) {
        this.target = target;
    }

    /** Writes a large box, or starts to write a small one. The feed's index zero is the origin of the box. */
    public void write(Box box, Feed feed) {
        if (RegionWrites.weight(target.metadata(), box) > SMALL) {
            target.write(box, feed);
            return;
        }
        finish(MAX_AT_ONCE - 1);
        running.add(target.writeAsync(box, feed));
    }

    /** Waits until all writes have finished. */
    public void finish() {
        finish(0);
    }

    /** Waits until at most {@code maxRunning} writes are running. */
    private void finish(int maxRunning) {
        while (running.size() > maxRunning) {
            await(running.remove(), "writing chunks of " + target.location());
        }
    }

    /**
     * Waits for a call and throws its original exception, for example an exception of a feed or an OutOfMemoryError, as
     * a blocking call does.
     */
    public static void await(CompletableFuture<NoResult> call, String doing) {
        try {
            Engine.await(call, doing);
        } catch (StoreException e) {
            Throwable original = e.getCause() instanceof ExecutionException wrapper ? wrapper.getCause() : e;
            if (original instanceof Error error) {
                throw error;
            }
            throw original instanceof RuntimeException runtime ? runtime : e;
        }
    }

    /** Cancels calls and waits until they have ended, so that a caller that fails leaves no running writes. */
    public static void end(Collection<CompletableFuture<NoResult>> calls) {
        calls.forEach(call -> call.cancel(false));
        calls.forEach(call -> call.handle((done, failure) -> NoResult.INSTANCE).join());
    }

    @Override
    public void close() {
        end(running);
    }
}
