package dev.shardkit.engine.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many readers at one shard whose index nobody has yet. */
@Timeout(120)
class InFlightReadsTest extends ReadersOfOneIndex {
    @Test
    void asynchronousReaders_waitForOneRequest() throws Exception {
        remote.asking();
        List<CompletableFuture<String>> readers = start(READERS);
        assertEquals(1, remote.requests());
        answerAll(remote.pending.take());
        assertAll("hello", readers);
        assertEquals(1, indexRequests());
        assertEquals(1 + READERS, remote.requests());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void threads_makeOneRequest(boolean fresh) throws Exception {
        remote.freshFor = fresh ? Duration.ofDays(1) : Duration.ZERO;
        together(() -> assertEquals("hello", engine.call(() -> Runs.indexed("k"), context(remote))));
        assertEquals(1, indexRequests());
    }

    @Test
    void threads_readAFileOnce() throws Exception {
        together(() -> assertEquals("hello", engine.call(() -> Runs.indexed("k"), context(local))));
        assertEquals(1 + READERS, local.reads.get());
    }

    private void together(Runnable reader) throws Exception {
        CyclicBarrier start = new CyclicBarrier(READERS);
        List<CompletableFuture<Void>> readers = new ArrayList<>();
        for (int i = 0; i < READERS; i++) {
            readers.add(CompletableFuture.runAsync(
                    () -> {
                        try {
                            start.await();
                        } catch (Exception e) {
                            throw new IllegalStateException(e);
                        }
                        reader.run();
                    },
                    threads));
        }
        for (CompletableFuture<Void> r : readers) {
            r.get(110, TimeUnit.SECONDS);
        }
    }

    @Test
    void firstReader_thatIsCancelled_isFollowedByAnother() throws Exception {
        remote.asking();
        List<CompletableFuture<String>> readers = start(READERS);
        RemoteStore.Pending first = remote.pending.take();
        readers.get(0).cancel(true);
        assertTrue(first.future().isCancelled());
        assertEquals(2, remote.requests());
        readers.get(1).cancel(true);
        readers.get(5).cancel(true);
        RemoteStore.Pending second = remote.pending.take();
        RemoteStore.Pending last = second.future().isCancelled() ? remote.pending.take() : second;
        answerAll(last);
        for (int i : new int[] {2, 3, 4, 6, READERS - 1}) {
            assertEquals("hello", readers.get(i).join());
        }
        assertTrue(indexRequests() <= 4, () -> remote.asked().toString());
    }

    @Test
    void cancelledLeader_whoseStoreGoesOn_leavesTheReadToAnother() throws Exception {
        remote.asking();
        remote.futures = () -> new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                return false;
            }
        };
        List<CompletableFuture<String>> readers = start(2);
        RemoteStore.Pending first = remote.pending.take();
        readers.get(0).cancel(false);
        assertThrows(java.util.concurrent.CancellationException.class, readers.get(0)::join);
        remote.futures = CompletableFuture::new;
        answerAll(remote.pending.take());
        assertEquals("hello", readers.get(1).join());
        remote.answer(first); // too late for anybody
        assertEquals(2, indexRequests());
    }

    @Test
    void waitingReader_thatIsCancelled_endsAtOnce_andHarmsNobody() throws Exception {
        remote.asking();
        List<CompletableFuture<String>> readers = start(3);
        readers.get(1).cancel(true);
        assertThrows(java.util.concurrent.CancellationException.class, readers.get(1)::join);
        RemoteStore.Pending first = remote.pending.take();
        assertFalse(first.future().isDone());
        answerAll(first);
        assertEquals("hello", readers.get(0).join());
        assertEquals("hello", readers.get(2).join());
    }

    @Test
    void failureOfTheFirst_isNobodyElses() throws Exception {
        remote.asking();
        List<CompletableFuture<String>> readers = start(READERS);
        RemoteStore.Pending first = remote.pending.take();
        remote.answersAtOnce = true;
        first.future().completeExceptionally(new StoreException("503"));
        CompletionException e = assertThrows(CompletionException.class, readers.get(0)::join);
        assertInstanceOf(StoreException.class, e.getCause());
        assertAll("hello", readers.subList(1, READERS));
    }

    @Test
    void absentObject_isAskedForByEachReader() throws Exception {
        remote.without("k").asking();
        List<CompletableFuture<String>> readers = start(3);
        answerAll(remote.pending.take());
        assertAll("absent", readers);
        assertEquals(3, remote.requests());
    }

    @Test
    void storeWithoutVersions_isNotWaitedFor_onceThatIsKnown() throws Exception {
        remote.withoutVersion("k", Runs.shard("hello")).asking();
        List<CompletableFuture<String>> readers = start(3);
        assertEquals(1, remote.requests());
        answerAll(remote.pending.take());
        assertAll("hello", readers);
        remote.asking();
        List<CompletableFuture<String>> later = start(2);
        assertEquals(6 + 2, remote.requests());
        RemoteStore.Pending one = remote.pending.take();
        remote.answer(remote.pending.take());
        answerAll(one);
        for (RemoteStore.Pending p = remote.pending.poll(); p != null; p = remote.pending.poll()) {
            remote.answer(p);
        }
        assertAll("hello", later);
    }

    /** The first reader has no thread to decode the answer on: its executor's only one is in another read. */
    @Test
    void reader_onTheOnlyThreadOfTheFirst_isNotStuck() throws Exception {
        remote.asking();
        ExecutorService single = Executors.newSingleThreadExecutor();
        Engine one = Runs.engine(single, 1);
        try {
            CountDownLatch reading = new CountDownLatch(1);
            CompletableFuture<String> first = new CompletableFuture<>();
            CompletableFuture<String> second = CompletableFuture.supplyAsync(
                    () -> {
                        one.start(() -> Runs.indexed("k"), context(remote)).thenAccept(first::complete);
                        reading.countDown();
                        return one.call(() -> Runs.indexed("k"), context(remote));
                    },
                    single);
            reading.await();
            answerAll(remote.pending.take());
            assertEquals("hello", second.get(100, TimeUnit.SECONDS));
            assertEquals("hello", first.get(100, TimeUnit.SECONDS));
            assertEquals(1, indexRequests());
        } finally {
            single.shutdownNow();
        }
    }

    @Test
    void objectThatChangedMeanwhile_isReadAgain() throws Exception {
        remote.asking();
        List<CompletableFuture<String>> readers = start(3);
        RemoteStore.Pending first = remote.pending.take();
        remote.answer(new RemoteStore.Pending(first.asked(), new CompletableFuture<>()));
        CompletableFuture<dev.shardkit.store.FetchResult> old = new CompletableFuture<>();
        remote.answer(new RemoteStore.Pending(first.asked(), old));
        remote.with("k", Runs.shard("other"));
        remote.answersAtOnce = true;
        first.future().complete(old.join());
        assertAll("other", readers);
    }

    @Test
    void localReader_whoseFirstFails_readsByItself() throws Exception {
        CountDownLatch leading = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicBoolean failed = new AtomicBoolean();
        local.onRead = key -> {
            if (failed.compareAndSet(false, true)) {
                leading.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                throw new IOException("the disk");
            }
        };
        CompletableFuture<String> first =
                CompletableFuture.supplyAsync(() -> engine.call(() -> Runs.indexed("k"), context(local)), threads);
        leading.await();
        List<CompletableFuture<String>> others = Stream.generate(
                        () -> engine.start(() -> Runs.indexed("k"), context(local)))
                .limit(8)
                .toList();
        CompletableFuture<String> cancelled = engine.start(() -> Runs.indexed("k"), context(local));
        cancelled.cancel(true);
        assertThrows(java.util.concurrent.CancellationException.class, cancelled::join);
        goOn.countDown();
        assertInstanceOf(
                StoreException.class,
                assertThrows(CompletionException.class, first::join).getCause());
        assertAll("hello", others);
        assertEquals(Optional.of("hello"), Optional.of(engine.call(() -> Runs.indexed("k"), context(local))));
    }
}
