package dev.shardkit;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.shardkit.AsyncCalls.Scene;
import dev.shardkit.store.Store;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every asynchronous call of the API ends on every kind of executor, also if its threads wait for the call. */
@Timeout(600)
class CallsOnExecutorsTest {
    /** The kinds of executors. */
    enum Kind {
        ONE_THREAD,
        TWO_THREADS,
        COMMON_POOL,
        VIRTUAL_THREADS,
        DIRECT;

        Executor executor() {
            return switch (this) {
                case ONE_THREAD -> Executors.newSingleThreadExecutor();
                case TWO_THREADS -> Executors.newFixedThreadPool(2);
                case COMMON_POOL -> ForkJoinPool.commonPool();
                case VIRTUAL_THREADS -> virtual();
                case DIRECT -> Runnable::run;
            };
        }

        /** How many calls wait on its threads at once. */
        int waiting() {
            return this == TWO_THREADS || this == VIRTUAL_THREADS ? 2 : 1;
        }

        private static ExecutorService virtual() {
            assumeTrue(Runtime.version().feature() >= 21, "this JDK has no virtual threads");
            try {
                return (ExecutorService) Executors.class
                        .getMethod("newVirtualThreadPerTaskExecutor")
                        .invoke(null);
            } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static Map<String, Function<Scene, CompletableFuture<?>>> calls() {
        Map<String, Function<Scene, CompletableFuture<?>>> all = new TreeMap<>(AsyncCalls.WITH_MEMORY);
        all.putAll(AsyncCalls.OTHERS);
        return all;
    }

    /** Begins a call and waits for it: for its future, or for one that depends on it. */
    private static Object await(Function<Scene, CompletableFuture<?>> call, Scene scene, boolean dependent)
            throws Exception {
        CompletableFuture<?> future = call.apply(scene);
        Object value = dependent ? future.thenApply(v -> v).thenApply(v -> v).join() : future.join();
        for (AutoCloseable open : scene.after) {
            open.close();
        }
        return value;
    }

    @ParameterizedTest
    @EnumSource
    void joinOnItsThreads(Kind kind) throws Exception {
        Executor executor = kind.executor();
        try {
            for (Store store : List.of(MemoryStore.create(), RemoteAdapter.of(MemoryStore.conditional("remote")))) {
                for (var call : calls().entrySet()) {
                    for (boolean dependent : new boolean[] {false, true}) {
                        join(kind, executor, store, call.getKey(), call.getValue(), dependent);
                    }
                }
                store.close();
            }
        } finally {
            if (executor instanceof ExecutorService service && kind != Kind.COMMON_POOL) {
                service.shutdown();
            }
        }
    }

    private static void join(
            Kind kind,
            Executor executor,
            Store store,
            String name,
            Function<Scene, CompletableFuture<?>> call,
            boolean dependent)
            throws Exception {
        ZarrOptions options = ZarrOptions.defaults().withExecutor(executor);
        List<FutureTask<Object>> tasks = new ArrayList<>();
        for (int i = 0; i < kind.waiting(); i++) {
            String path = "a" + i;
            ZarrArray array = Zarr.createArray(store, path, AsyncCalls.SPEC, IfExists.OVERWRITE, options);
            Scene scene = new Scene(store, path, array, 7, options);
            Callable<Object> task = () -> await(call, scene, dependent);
            tasks.add(new FutureTask<>(task));
        }
        tasks.forEach(executor::execute);
        for (FutureTask<Object> task : tasks) {
            assertNotNull(task.get(60, TimeUnit.SECONDS), () -> name + " on " + kind);
        }
    }

    /** The future of a call whose executor rejects its tasks fails, unless the waiting thread can make the call. */
    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"ONE_THREAD", "DIRECT"})
    void rejectingExecutor(Kind kind) throws Exception {
        ExecutorService shut = Executors.newSingleThreadExecutor();
        shut.shutdown();
        ZarrOptions options = ZarrOptions.defaults()
                .withExecutor(
                        kind == Kind.DIRECT
                                ? task -> {
                                    throw new RejectedExecutionException();
                                }
                                : shut);
        for (Store store : List.of(MemoryStore.create(), RemoteAdapter.of(MemoryStore.conditional("remote")))) {
            for (var call : calls().entrySet()) {
                ZarrArray array = Zarr.createArray(store, "a", AsyncCalls.SPEC, IfExists.OVERWRITE, options);
                Scene scene = new Scene(store, "a", array, 7, options);
                try {
                    call.getValue().apply(scene).join();
                } catch (CompletionException e) {
                    assertTrue(e.getCause() instanceof RejectedExecutionException, () -> call.getKey() + ": " + e);
                } catch (RejectedExecutionException e) {
                    assertTrue(scene.after.size() <= 1);
                }
            }
            store.close();
        }
    }
}
