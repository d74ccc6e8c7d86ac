package dev.shardkit.store.cloud;

import java.util.Deque;
import java.util.LinkedList;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits the memory of stored ranges that are read only to be sent again, as parts of a new object. All stores of the
 * process share an eighth of the heap. Reads for callers do not count. Work that waits for memory holds no thread.
 * Thread-safe.
 */
final class RangeMemoryLimit {
    private static final RangeMemoryLimit OF_PROCESS =
            new RangeMemoryLimit(Runtime.getRuntime().maxMemory() / 8);

    /** Work in the queue, and the number of bytes that it needs. */
    private record Waiting(long bytes, Runnable work) {}

    private final long maxBytes;
    /** A linked list, because an ArrayDeque that fails to grow for lack of memory loses its elements. */
    private final Deque<Waiting> queue = new LinkedList<>();

    private long usedBytes;

    RangeMemoryLimit(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    static RangeMemoryLimit ofProcess() {
        return OF_PROCESS;
    }

    /**
     * Starts {@code work} now, or when {@code bytes} bytes are free, and reserves them until its future ends. Work that
     * needs more than the limit runs alone.
     */
    <T> CompletableFuture<T> within(long bytes, Supplier<CompletableFuture<T>> work) {
        if (bytes == 0) {
            return work.get();
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        synchronized (this) {
            queue.add(new Waiting(bytes, () -> start(bytes, work, result)));
        }
        startQueued();
        return result;
    }

    private <T> void start(long bytes, Supplier<CompletableFuture<T>> work, CompletableFuture<T> result) {
        boolean isReleasedAtEnd = false;
        try {
            CompletableFuture<T> running;
            try {
                running = result.isDone() ? result : work.get();
            } catch (RuntimeException | Error e) {
                running = CompletableFuture.failedFuture(e);
            }
            CompletableFuture<T> started = running;
            result.whenComplete((value, thrown) -> started.cancel(true));
            started.whenComplete((value, thrown) -> {
                release(bytes);
                if (thrown == null) {
                    result.complete(value);
                } else {
                    result.completeExceptionally(CancellableFutures.cause(thrown));
                }
            });
            isReleasedAtEnd = true;
        } catch (Error e) { // memory ran out: the result must fail, or its caller would wait forever
            result.completeExceptionally(e);
        } finally {
            if (!isReleasedAtEnd) {
                release(bytes);
            }
        }
    }

    private void release(long bytes) {
        synchronized (this) {
            usedBytes -= bytes;
        }
        startQueued();
    }

    private void startQueued() {
        for (Waiting next = next(); next != null; next = next()) {
            next.work().run();
        }
    }

    /** Removes and returns the first work of the queue, and reserves its memory; null if there is not enough. */
    private synchronized @Nullable Waiting next() {
        Waiting next = queue.peek();
        if (next == null || usedBytes > 0 && usedBytes + next.bytes() > maxBytes) {
            return null;
        }
        usedBytes += next.bytes();
        return queue.remove();
    }
}
