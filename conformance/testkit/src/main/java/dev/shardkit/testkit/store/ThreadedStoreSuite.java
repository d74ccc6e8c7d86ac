package dev.shardkit.testkit.store;

import dev.shardkit.store.Store;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The base class of the suites whose tests use a store from several threads, without tests of its own. Supplies threads
 * that end with the test.
 */
public abstract class ThreadedStoreSuite extends StoreSuite {
    static final int THREADS = 8;

    private @Nullable ExecutorService pool;

    /** For the suites. */
    protected ThreadedStoreSuite() {}

    /** Returns another store with the objects of {@code store}, or the same one if there is no other. */
    protected Store anotherOf(Store store) throws Exception {
        return store;
    }

    @BeforeEach
    final void makePool() {
        pool = Executors.newFixedThreadPool(THREADS);
    }

    @AfterEach
    final void endPool() {
        if (pool != null) {
            pool.shutdownNow();
        }
    }

    /** Starts a task on a thread of this test. */
    final <T> Future<T> start(Callable<T> task) {
        return Objects.requireNonNull(pool).submit(task);
    }
}
