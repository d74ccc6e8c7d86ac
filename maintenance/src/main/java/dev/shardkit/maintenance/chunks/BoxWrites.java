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
 * Writes disjoint boxes of an array, several small ones at once: each write waits for the disk or the network. Large
 * ones are written one after the other, because each uses all threads itself. Used by one thread. {@link #close}
 * cancels unfinished writes and waits until they have ended.
 */
public final class BoxWrites implements AutoCloseable {
    private static final int MAX_AT_ONCE = 16;
    private static final long SMALL = 1 << 20;

    private final ZarrArray target;
    private final Deque<CompletableFuture<NoResult>> running = new ArrayDeque<>();

    /** Creates writes to an array. */
    public BoxWrites(ZarrArray target) {
        this.target = target;
    }

    /** Writes a box, or starts to write it if it is small. The feed's index zero is the origin of the box. */
    public void write(Box box, Feed feed) {
        if (RegionWrites.weight(target.metadata(), box) > SMALL) {
            target.write(box, feed);
            return;
        }
        finish(MAX_AT_ONCE - 1);
        running.add(target.writeAsync(box, feed));
    }

    /** Waits until all writes are made. */
    public void finish() {
        finish(0);
    }

    private void finish(int max) {
        while (running.size() > max) {
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
            Throwable own = e.getCause() instanceof ExecutionException of ? of.getCause() : e;
            if (own instanceof Error error) {
                throw error;
            }
            throw own instanceof RuntimeException runtime ? runtime : e;
        }
    }

    /** Cancels calls and waits until they have ended. A caller that fails must not leave running writes. */
    public static void end(Collection<CompletableFuture<NoResult>> calls) {
        calls.forEach(call -> call.cancel(false));
        calls.forEach(call -> call.handle((done, failure) -> NoResult.INSTANCE).join());
    }

    @Override
    public void close() {
        end(running);
    }
}
