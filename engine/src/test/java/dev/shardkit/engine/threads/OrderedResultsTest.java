package dev.shardkit.engine.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OrderedResultsTest {
    private final List<Integer> used = Collections.synchronizedList(new ArrayList<>());

    @Test
    void results_areUsedInTheirOrder_asSoonAsPossible() {
        OrderedResults<String> results = new OrderedResults<>((i, text) -> {
            assertEquals("result " + i, text);
            used.add(i);
        });
        results.put(1, "result 1");
        assertEquals(List.of(), used);
        results.put(0, "result 0");
        assertEquals(List.of(0, 1), used);
        results.put(2, "result 2");
        assertEquals(List.of(0, 1, 2), used);
    }

    @Test
    void threads_useEachResultOnce_oneAtATime() {
        for (int round = 0; round < 200; round++) {
            used.clear();
            int[] inside = new int[1];
            OrderedResults<Integer> results = new OrderedResults<>((i, result) -> {
                assertEquals(1, ++inside[0], "no two at once");
                used.add(result);
                inside[0]--;
            });
            List<Integer> order = new ArrayList<>(IntStream.range(0, 40).boxed().toList());
            Collections.shuffle(order, new Random(round));
            order.parallelStream().forEach(i -> results.put(i, i));
            results.close();
            assertEquals(IntStream.range(0, 40).boxed().toList(), used);
        }
    }

    @Test
    void failedUse_isThrown_andEndsAllUses() {
        OrderedResults<Integer> results = new OrderedResults<>((i, result) -> {
            used.add(i);
            if (i == 1) {
                throw new IllegalStateException("on purpose");
            }
        });
        results.put(2, 2);
        results.put(1, 1);
        assertThrows(IllegalStateException.class, () -> results.put(0, 0));
        results.put(3, 3);
        results.close();
        assertEquals(List.of(0, 1), used);
    }

    @Test
    void close_waitsForTheUseInOtherThreads() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch open = new CountDownLatch(1);
        OrderedResults<Integer> results = new OrderedResults<>((i, result) -> {
            begun.countDown();
            try {
                open.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            used.add(i);
        });
        CompletableFuture<Void> using = CompletableFuture.runAsync(() -> results.put(0, 0));
        begun.await();
        results.put(1, 1);
        Thread closing = new Thread(() -> {
            results.close();
            used.add(-1);
        });
        closing.start();
        while (closing.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        assertFalse(using.isDone());
        open.countDown();
        using.get();
        closing.join();
        assertEquals(List.of(0, -1), used, "no use begins after the close did");
    }
}
