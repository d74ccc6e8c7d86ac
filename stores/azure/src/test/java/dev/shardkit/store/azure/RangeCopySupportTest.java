package dev.shardkit.store.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.store.azure.RangeCopySupport.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Which copies are sent, and which wait for the answer to the first one. */
class RangeCopySupportTest {
    private final AtomicLong clock = new AtomicLong();
    private final RangeCopySupport support = new RangeCopySupport(clock::get);
    private final List<CompletableFuture<Answer>> sent = new ArrayList<>();

    private CompletableFuture<Boolean> copy() {
        return support.copy(() -> {
            sent.add(new CompletableFuture<>());
            return sent.get(sent.size() - 1);
        });
    }

    private List<CompletableFuture<Boolean>> copies(int count) {
        List<CompletableFuture<Boolean>> copies = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            copies.add(copy());
        }
        return copies;
    }

    @Test
    void serverThatLacksCopies_isAskedOnce() {
        List<CompletableFuture<Boolean>> copies = copies(3);
        sent.get(0).complete(Answer.UNSUPPORTED);
        copies.forEach(copy -> assertFalse(copy.join()));
        assertFalse(copy().join());
        assertEquals(1, sent.size());
        assertFalse(support.isPossible());
    }

    @Test
    void serverThatLacksCopies_isAskedAgain_minutesLater() {
        copies(1);
        sent.get(0).complete(Answer.UNSUPPORTED);
        clock.addAndGet(Duration.ofMinutes(5).toNanos() - 1);
        assertFalse(copy().join());
        clock.incrementAndGet();
        assertTrue(support.isPossible());
        List<CompletableFuture<Boolean>> later = copies(2);
        assertEquals(2, sent.size(), "one asks, the other waits");
        sent.get(1).complete(Answer.COPIED);
        sent.get(2).complete(Answer.COPIED);
        later.forEach(copy -> assertTrue(copy.join()));
    }

    @Test
    void serverThatCopiesWrongly_isNeverAskedAgain() {
        copies(1);
        support.isWrong();
        sent.get(0).complete(Answer.UNSUPPORTED);
        clock.addAndGet(Duration.ofHours(1).toNanos());
        assertFalse(copy().join());
        assertFalse(support.isPossible());
    }

    @Test
    void serverThatCopies_getsAllCopiesAtOnce_afterTheFirst() {
        List<CompletableFuture<Boolean>> copies = copies(3);
        assertEquals(1, sent.size());
        sent.get(0).complete(Answer.COPIED);
        assertTrue(copies.get(0).join());
        assertEquals(3, sent.size());
        sent.get(1).complete(Answer.REFUSED);
        sent.get(2).complete(Answer.COPIED);
        assertEquals(1, copies.stream().filter(copy -> !copy.join()).count());
        assertTrue(support.isPossible());
    }

    @Test
    void firstCopyThatFails_isFollowedByAnother() {
        List<CompletableFuture<Boolean>> copies = copies(3);
        sent.get(0).completeExceptionally(new IOException("broken"));
        assertTrue(copies.get(0).isCompletedExceptionally());
        assertEquals(2, sent.size());
        sent.get(1).complete(Answer.COPIED);
        sent.get(2).complete(Answer.COPIED);
        assertTrue(copies.get(1).join() && copies.get(2).join());
    }

    @Test
    void cancelledCopies_doNotEndOthers() {
        List<CompletableFuture<Boolean>> copies = copies(3);
        copies.get(1).cancel(true);
        assertFalse(sent.get(0).isDone());
        copies.get(0).cancel(true);
        assertTrue(sent.get(0).isCancelled());
        assertEquals(2, sent.size());
        sent.get(1).complete(Answer.COPIED);
        assertTrue(copies.get(2).join());
    }

    @Test
    void requestThatCannotBeMade_isFollowedByAnother() {
        assertThrows(
                IllegalStateException.class,
                () -> support.copy(() -> {
                    throw new IllegalStateException("closed");
                }));
        CompletableFuture<Boolean> copy = copy();
        sent.get(0).complete(Answer.COPIED);
        assertTrue(copy.join());
    }
}
