package dev.shardkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.Target;
import dev.shardkit.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Targets of many callers at once: each read of one chunk calls its target on the thread of the caller. */
@Timeout(120)
class CallersTargetsTest {
    private static final int CALLERS = 4 * Runtime.getRuntime().availableProcessors();
    private static final int READS = 300;

    private final ZarrArray array = array();

    private static ZarrArray array() {
        ZarrArray array = Zarr.createArray(
                MemoryStore.create(),
                "a",
                ArraySpec.of("int32", 4096).withChunkShape(1024).withShardShape(4096),
                IfExists.REFUSE,
                ZarrOptions.defaults());
        array.write(array.domain(), new int[4096], 0);
        return array;
    }

    private static final class Calls implements Target {
        private final Runnable call;

        Calls(Runnable call) {
            this.call = call;
        }

        @Override
        public void put(Elements from, long offset, long[] strides, Box at) {
            call.run();
        }

        @Override
        public void fill(FillValue value, Box at) {
            call.run();
        }
    }

    private static void atOnce(Callable<Void> caller) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try {
            List<Future<Void>> running = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                running.add(callers.submit(caller));
            }
            for (Future<Void> r : running) {
                r.get();
            }
        } finally {
            callers.shutdownNow();
        }
    }

    @Test
    void targetsMayTakeTheLocksThatTheirCallersHold() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        atOnce(() -> {
            Object lock = new Object();
            Calls target = new Calls(() -> {
                synchronized (lock) {
                    calls.incrementAndGet();
                }
            });
            for (int i = 0; i < READS; i++) {
                synchronized (lock) {
                    array.read(Box.of(new long[] {1024}, new long[] {1024}), target);
                }
            }
            return null;
        });
        assertEquals(CALLERS * READS, calls.get());
    }

    @Test
    void interruptOfOneTargetsThread_reachesNoOtherCaller() throws Exception {
        AtomicInteger others = new AtomicInteger();
        AtomicInteger number = new AtomicInteger();
        atOnce(() -> {
            boolean interrupts = number.getAndIncrement() % 2 == 0;
            Calls target = new Calls(() -> {
                if (interrupts) {
                    Thread.currentThread().interrupt();
                } else if (Thread.currentThread().isInterrupted()) {
                    others.incrementAndGet();
                }
            });
            for (int i = 0; i < READS; i++) {
                try {
                    array.read(Box.of(new long[] {1024}, new long[] {1024}), target);
                } catch (CancellationException e) {
                    assertEquals(true, interrupts);
                }
                Thread.interrupted();
            }
            return null;
        });
        assertEquals(0, others.get());
    }
}
