package dev.shardkit.soak;

import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.store.http.HttpStore;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** The work of one thread of the soak test, which repeats it until the time is up. */
@FunctionalInterface
interface Work {
    /** A call that takes longer is considered to hang. */
    long PATIENCE_SECONDS = 120;

    void once(Random random) throws Exception;

    /** Opens an array, reads and checks some regions, by blocking and asynchronous calls, and closes it. */
    static Work reader(SoakArray soakArray, Counts counts) {
        return random -> {
            try (ZarrArray array = soakArray.open()) {
                for (int i = random.nextInt(20); i >= 0; i--) {
                    counts.wrong(
                            soakArray.name() + " in files",
                            soakArray.readAndCheck(
                                    random.nextBoolean() ? array::read : box -> await(array.readAsync(box)), random));
                    counts.add("reads of files", 1);
                }
            }
        };
    }

    /**
     * Reads and checks some regions over HTTP. The server may be down. Every read revalidates cached shard indexes. By
     * default an index counts as fresh for some seconds if a read needs nothing else. Such a read would miss an inner
     * chunk that was just written for the first time.
     */
    static Work remoteReader(SoakArray soakArray, URI server, Counts counts) {
        ZarrOptions options = ZarrOptions.defaults();
        return random -> {
            try (HttpStore store = HttpStore.builder(server.resolve(soakArray.name() + "/"))
                            .freshFor(Duration.ZERO)
                            .build();
                    ZarrArray array = Zarr.openArray(store, "", options)) {
                for (int i = random.nextInt(10); i >= 0; i--) {
                    counts.wrong(soakArray.name() + " over HTTP", soakArray.readAndCheck(array::read, random));
                    counts.add("reads over HTTP", 1);
                }
            } catch (StoreException e) {
                counts.add("server away", 1);
            }
        };
    }

    /** Begins a read of the whole array and cancels it. */
    static Work canceller(SoakArray soakArray, Counts counts) {
        return random -> {
            try (ZarrArray array = soakArray.open()) {
                CompletableFuture<NdArray> read = array.readAsync(array.domain());
                if (random.nextBoolean()) {
                    Thread.yield();
                }
                read.cancel(true);
                counts.add("cancelled reads", 1);
            }
        };
    }

    /** Interrupts a thread that reads the whole array again and again. */
    static Work interrupter(SoakArray soakArray, Counts counts) {
        return random -> {
            Thread reading = new Thread(
                    () -> {
                        try (ZarrArray array = soakArray.open()) {
                            while (!Thread.currentThread().isInterrupted()) {
                                array.read();
                            }
                        } catch (CancellationException e) {
                            counts.add("interrupted reads", 1);
                        } catch (Throwable e) {
                            counts.unexpected(e);
                        }
                    },
                    "soak-interrupted");
            reading.start();
            reading.interrupt();
            reading.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
            if (reading.isAlive()) {
                throw new IllegalStateException("an interrupted read did not end");
            }
        };
    }

    /** Opens an array, writes some of the inner chunks in {@code own}, which no other thread writes, and closes it. */
    static Work writer(SoakArray soakArray, List<Integer> own, Counts counts) {
        return random -> {
            try (ZarrArray array = soakArray.open()) {
                for (int i = random.nextInt(20); i >= 0; i--) {
                    int innerChunk = own.get(random.nextInt(own.size()));
                    int number = soakArray.ledger().begin(innerChunk);
                    NdArray values = SoakArray.filled(array, number);
                    if (random.nextBoolean()) {
                        array.write(SoakArray.box(innerChunk), values);
                    } else {
                        CompletableFuture<NoResult> write = array.writeAsync(SoakArray.box(innerChunk), values);
                        await(write);
                    }
                    soakArray.ledger().finish(innerChunk, number);
                    counts.add("writes", 1);
                }
            }
        };
    }

    private static <T> T await(CompletableFuture<T> future) throws Exception {
        try {
            return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }
}
