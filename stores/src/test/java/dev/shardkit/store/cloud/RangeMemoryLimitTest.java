package dev.shardkit.store.cloud;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** Work begins in order, when there is memory for it. */
class RangeMemoryLimitTest {
    private final RangeMemoryLimit memory = new RangeMemoryLimit(100);
    private final List<CompletableFuture<String>> begun = new ArrayList<>();

    private CompletableFuture<String> within(long bytes) {
        return memory.within(bytes, () -> {
            CompletableFuture<String> work = new CompletableFuture<>();
            begun.add(work);
            return work;
        });
    }

    @Test
    void work_waitsUntilThereIsRoom() {
        CompletableFuture<String> first = within(60);
        CompletableFuture<String> second = within(60);
        within(40);
        assertEquals(1, begun.size(), "the third may not pass the second");
        begun.get(0).complete("done");
        assertEquals("done", first.join());
        assertEquals(3, begun.size());
        begun.get(1).completeExceptionally(new IllegalStateException("failed"));
        assertTrue(second.isCompletedExceptionally());
    }

    /** Memory may run out while the limit is about to learn when the work ends. */
    @Test
    void workWhoseEndCannotBeWatched_fails_andFreesItsRoom() {
        CompletableFuture<String> unwatched = new CompletableFuture<>() {
            @Override
            public CompletableFuture<String> whenComplete(BiConsumer<? super String, ? super Throwable> action) {
                throw new OutOfMemoryError("on purpose");
            }
        };
        CompletableFuture<String> result = memory.within(100, () -> unwatched);
        assertTrue(result.isCompletedExceptionally());
        within(100);
        assertEquals(1, begun.size());
    }

    @Test
    void workLargerThanAll_runsAlone() {
        within(10);
        within(1000);
        assertEquals(1, begun.size());
        begun.get(0).complete("");
        assertEquals(2, begun.size());
        within(1);
        assertEquals(2, begun.size());
        begun.get(1).complete("");
        assertEquals(3, begun.size());
    }

    @Test
    void cancelledWork_doesNotBegin_andFreesItsRoom() {
        CompletableFuture<String> first = within(100);
        CompletableFuture<String> second = within(50);
        within(100);
        second.cancel(true);
        first.cancel(true);
        assertTrue(begun.get(0).isCancelled());
        assertEquals(2, begun.size());
        assertFalse(begun.get(1).isDone());
    }
}
