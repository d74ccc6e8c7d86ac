package dev.shardkit;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.json.Json;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A blocking call that is interrupted while its store is silent ends with a {@link CancellationException}. */
@Timeout(120)
class InterruptedCallsTest {
    private final BlockingQueue<Runnable> silent = new LinkedBlockingQueue<>();
    private volatile boolean silence;
    private final RemoteAdapter store = RemoteAdapter.of(MemoryStore.conditional("remote"), this::answer, 4);

    private void answer(Runnable request) {
        if (silence) {
            silent.add(request);
        } else {
            request.run();
        }
    }

    private enum Call {
        READ((s, a) -> a.read()),
        WRITE((s, a) -> a.write(a.domain(), new short[16], 0)),
        ERASE((s, a) -> a.erase(a.domain())),
        RESIZE((s, a) -> a.resize(new long[] {8}, ResizePolicy.REMOVE)),
        ATTRIBUTES((s, a) -> a.replaceAttributes(Json.object())),
        PRESENCE((s, a) -> a.presence().count()),
        OPEN((s, a) -> Zarr.openArray(s, "x", ZarrOptions.defaults())),
        CREATE((s, a) -> Zarr.createArray(s, "y", ArraySpec.of("uint8", 4), IfExists.REFUSE, ZarrOptions.defaults())),
        DELETE((s, a) -> a.delete());

        private final BiConsumer<RemoteAdapter, ZarrArray> made;

        Call(BiConsumer<RemoteAdapter, ZarrArray> made) {
            this.made = made;
        }
    }

    @ParameterizedTest
    @EnumSource(Call.class)
    void interruptedCall_isCancelled(Call call) throws Exception {
        ZarrArray array = Zarr.createArray(
                store, "x", ArraySpec.of("uint16", 16).withChunkShape(4), IfExists.REFUSE, ZarrOptions.defaults());
        array.write(array.domain(), new short[16], 0);
        silence = true;
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                call.made.accept(store, array);
                thrown.completeExceptionally(new AssertionError("the call returned"));
            } catch (Throwable e) {
                assertTrue(Thread.currentThread().isInterrupted());
                thrown.complete(e);
            }
        });
        caller.start();
        Runnable request = silent.take();
        caller.interrupt();
        assertInstanceOf(CancellationException.class, thrown.get());
        silence = false;
        request.run();
        caller.join();
    }
}
