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

/** One piece of work, again and again until the soak ends. */
@FunctionalInterface
interface Work {
    /** A call that takes longer than this hangs. */
    long PATIENCE_SECONDS = 120;

    void once(Random random) throws Exception;

    /** Opens an array, reads some regions of it, blocking or not, and closes it. */
    static Work reader(SoakArray scene, Counts counts) {
        return random -> {
            try (ZarrArray array = scene.open()) {
                for (int i = random.nextInt(20); i >= 0; i--) {
                    counts.wrong(
                            scene.name() + " in files",
                            scene.readAndCheck(
                                    random.nextBoolean() ? array::read : box -> await(array.readAsync(box)), random));
                    counts.add("reads of files", 1);
                }
            }
        };
    }

    /**
     * The same over HTTP, where the server may be away. Every call asks whether the indexes that it kept still hold; by
     * default they are believed for some seconds where a read needs nothing else, so an inner chunk that was written
     * for the first time would be missed.
     */
    static Work remoteReader(SoakArray scene, URI server, Counts counts) {
        ZarrOptions options = ZarrOptions.defaults();
        return random -> {
            try (HttpStore store = HttpStore.builder(server.resolve(scene.name() + "/"))
                            .freshFor(Duration.ZERO)
                            .build();
                    ZarrArray array = Zarr.openArray(store, "", options)) {
                for (int i = random.nextInt(10); i >= 0; i--) {
                    counts.wrong(scene.name() + " over HTTP", scene.readAndCheck(array::read, random));
                    counts.add("reads over HTTP", 1);
                }
            } catch (StoreException e) {
                counts.add("server away", 1);
            }
        };
    }

    /** Begins a read and cancels it. */
    static Work canceller(SoakArray scene, Counts counts) {
        return random -> {
            try (ZarrArray array = scene.open()) {
                CompletableFuture<NdArray> read = array.readAsync(array.domain());
                if (random.nextBoolean()) {
                    Thread.yield();
                }
                read.cancel(true);
                counts.add("cancelled reads", 1);
            }
        };
    }

    /** Interrupts a thread that reads. */
    static Work interrupter(SoakArray scene, Counts counts) {
        return random -> {
            Thread reading = new Thread(
                    () -> {
                        try (ZarrArray array = scene.open()) {
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

    /** Writes inner chunks that no other writer writes. */
    static Work writer(SoakArray scene, List<Integer> mine, Counts counts) {
        return random -> {
            try (ZarrArray array = scene.open()) {
                for (int i = random.nextInt(20); i >= 0; i--) {
                    int innerChunk = mine.get(random.nextInt(mine.size()));
                    int number = scene.ledger().begin(innerChunk);
                    NdArray values = SoakArray.filled(array, number);
                    if (random.nextBoolean()) {
                        array.write(SoakArray.box(innerChunk), values);
                    } else {
                        CompletableFuture<NoResult> write = array.writeAsync(SoakArray.box(innerChunk), values);
                        await(write);
                    }
                    scene.ledger().finish(innerChunk, number);
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
