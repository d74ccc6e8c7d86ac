package dev.shardkit.engine.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.Reads;
import dev.shardkit.store.StoreListener;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;

/** Readers of one shard whose index is not cached yet. */
abstract class ReadersOfOneIndex {
    static final int READERS = 64;
    static final ByteRange INDEX = new ByteRange.Slice(0, 2);

    final RemoteStore remote = new RemoteStore().with("k", Runs.shard("hello"));
    final LocalStore local = new LocalStore().with("k", Runs.shard("hello"));
    final ValueCache cache = new ValueCache(1 << 20);
    final Engine engine = Runs.engine(2);
    final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void end() {
        threads.shutdownNow();
        assertEquals(0, cache.inFlight().size(), "reads in flight remain");
    }

    ReadContext context(Reads store) {
        return Runs.context(store, cache, StoreListener.NONE);
    }

    List<CompletableFuture<String>> start(int count) {
        return Stream.generate(() -> engine.start(() -> Runs.indexed("k"), context(remote)))
                .limit(count)
                .toList();
    }

    static void assertAll(String expected, List<CompletableFuture<String>> readers) {
        readers.forEach(r -> assertEquals(expected, r.join()));
    }

    long indexRequests() {
        return remote.asked().stream().filter(a -> a.range().equals(INDEX)).count();
    }

    void answerAll(RemoteStore.Pending first) {
        remote.answersAtOnce = true;
        remote.answer(first);
    }
}
