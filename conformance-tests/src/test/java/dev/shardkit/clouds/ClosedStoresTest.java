package dev.shardkit.clouds;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.store.Store;
import dev.shardkit.store.cache.CachedStore;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.http.HttpStore;
import dev.shardkit.store.zip.ZipStore;
import dev.shardkit.testkit.internal.Rounds;
import dev.shardkit.testkit.server.RangeServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Closing a remote store leaves no thread and no descriptor, whatever is under way: each cycle opens a store, begins
 * calls, cancels some of them at a random moment, and closes the store. The system property {@code shardkit.rounds}
 * multiplies the number of cycles.
 */
@Timeout(7200)
class ClosedStoresTest {
    private static final int CYCLES = Rounds.of(10);
    /** Descriptors that the process itself may open meanwhile. */
    private static final int OWN_DESCRIPTORS = 6;

    private static final List<String> THREADS = List.of("shardkit-http-io-");

    /** No other test has it, so these stores share no client with a store that another test leaves open. */
    private static final Duration CONNECT = Duration.ofSeconds(71);

    @TempDir
    private Path dir;

    private final long seed = Long.getLong("shardkit.close.seed", System.nanoTime());
    private final Random random = new Random(seed);

    /** The kinds of remote stores. */
    enum Kind {
        HTTP,
        S3,
        GOOGLE,
        AZURE,
        CACHE,
        ZIP
    }

    /** Opens stores of one kind, in each of which lies the array {@code a}. */
    @FunctionalInterface
    private interface Opener {
        Store open() throws IOException;
    }

    private final Set<Thread> others = Set.copyOf(Thread.getAllStackTraces().keySet());

    @ParameterizedTest
    @EnumSource
    void closing_leavesNothing(Kind kind) throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "descriptors cannot be counted here");
        try (RangeServer server = RangeServer.start()) {
            Opener opener = opener(kind, server);
            for (int i = 0; i < 10; i++) {
                cycle(opener);
            }
            long descriptors = awaitQuiet(kind, Long.MAX_VALUE);
            for (int i = 0; i < CYCLES; i++) {
                cycle(opener);
            }
            awaitQuiet(kind, descriptors + OWN_DESCRIPTORS);
        }
    }

    private Opener opener(Kind kind, RangeServer server) throws IOException {
        Bucket bucket =
                switch (kind) {
                    case S3 -> Bucket.ofS3();
                    case GOOGLE -> Bucket.ofGoogle();
                    case AZURE -> Bucket.ofAzure();
                    default -> null;
                };
        if (bucket != null) {
            try (Store store = bucket.store(CONNECT)) {
                create(store);
            }
            return () -> bucket.store(CONNECT);
        }
        if (kind == Kind.ZIP) {
            Path archive = dir.resolve("a.zip");
            try (Store store = ZipStore.at(archive)) {
                create(store);
            }
            server.put("a.zip", Files.readAllBytes(archive));
            return () -> ZipStore.builder(http(server.uri()), "a.zip").open();
        }
        Path folder = dir.resolve("served");
        try (Store store = FileStore.at(folder)) {
            create(store);
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                server.put(folder.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
            }
        }
        return kind == Kind.CACHE
                ? () -> CachedStore.builder(http(server.uri()), dir.resolve("cache"))
                        .identity("served")
                        .open()
                : () -> http(server.uri());
    }

    private static HttpStore http(URI uri) {
        return HttpStore.builder(uri).connectTimeout(CONNECT).build();
    }

    private static void create(Store store) {
        ArraySpec spec = ArraySpec.of("int32", 64, 64).withChunkShape(8, 8).withShardShape(16, 16);
        try (ZarrArray array = Zarr.createArray(store, "a", spec, IfExists.OVERWRITE, ZarrOptions.defaults())) {
            array.write(array.domain(), new int[64 * 64], 0);
        }
    }

    private void cycle(Opener opener) throws IOException {
        CompletableFuture<?> last;
        try (Store store = opener.open()) {
            CompletableFuture<ZarrArray> opening = Zarr.openArrayAsync(store, "a", ZarrOptions.defaults());
            if (random.nextInt(4) == 0) { // while it opens
                passTime(3_000_000);
                opening.cancel(random.nextBoolean());
                last = opening;
            } else {
                ZarrArray array = opening.join();
                CompletableFuture<?> reading = array.readAsync(array.domain());
                passTime(random.nextBoolean() ? 300_000 : 5_000_000);
                if (random.nextInt(4) > 0) { // otherwise closing the store ends the call
                    reading.cancel(random.nextBoolean());
                }
                last = reading;
            }
        }
        last.handle((value, thrown) -> thrown).orTimeout(60, TimeUnit.SECONDS).join();
    }

    private void passTime(int nanos) {
        long end = System.nanoTime() + random.nextInt(nanos);
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    /** Waits until no thread of a client is left and at most so many descriptors are open; returns their number. */
    private long awaitQuiet(Kind kind, long maxDescriptors) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(100);
        while (true) {
            List<String> threads = threads();
            long descriptors = descriptors();
            if (threads.isEmpty() && descriptors <= maxDescriptors) {
                return descriptors;
            }
            assertTrue(
                    System.nanoTime() < end,
                    () -> kind + ", -Dshardkit.close.seed=" + seed + ": left " + threads + " and " + descriptors
                            + " descriptors, expected " + maxDescriptors);
            Thread.onSpinWait();
        }
    }

    /** Returns the names of the threads of clients, without those that other tests of this process left before. */
    private List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !others.contains(thread))
                .map(Thread::getName)
                .filter(name -> THREADS.stream().anyMatch(name::contains))
                .toList();
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }
}
