package dev.shardkit.store.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.http.HttpStore;
import dev.shardkit.testkit.internal.Rounds;
import dev.shardkit.testkit.server.RangeServer;
import dev.shardkit.testkit.server.RangeServer.Quirk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two caches in one small folder, of an object that is replaced all the time, while files of the folder vanish. Each
 * read must return one version, no older than the object was when the read began.
 */
@Timeout(600)
@Tag("one-jdk")
class CacheAttackTest {
    private static final int SIZE = 64 << 10;
    private static final long LIMIT = 200 << 10;
    private static final int READERS = 2;
    private static final int READS = Rounds.of(30);
    private static final String KEY = "a/c/0";

    @TempDir
    Path folder;

    private final AtomicInteger stored = new AtomicInteger();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();

    /** What the server says about versions. */
    private enum Server {
        ETAGS,
        WEAK_ETAGS(Quirk.WEAK_ETAG),
        LAST_MODIFIED_ONLY(Quirk.NO_ETAG),
        NO_VERSIONS(Quirk.NO_ETAG, Quirk.NO_LAST_MODIFIED),
        NO_CONDITIONS(Quirk.NO_IF_MATCH),
        NO_RANGES(Quirk.NO_RANGES);

        private final Quirk[] quirks;

        Server(Quirk... quirks) {
            this.quirks = quirks;
        }
    }

    private void put(RangeServer server) {
        int version = begun.incrementAndGet();
        ByteBuffer value = ByteBuffer.allocate(SIZE);
        while (value.hasRemaining()) {
            value.putInt(version);
        }
        server.put(KEY, value.array());
        stored.set(version);
    }

    private CachedStore open(RangeServer server) throws IOException {
        HttpStore store =
                HttpStore.builder(server.uri()).freshFor(Duration.ZERO).build();
        return CachedStore.of(store, folder.resolve("cache"), LIMIT);
    }

    private static void start(List<CompletableFuture<String>> ends, String name, Body body) {
        CompletableFuture<String> end = new CompletableFuture<>();
        ends.add(end);
        Thread thread = new Thread(
                () -> {
                    try {
                        body.run();
                        end.complete(name);
                    } catch (Throwable e) {
                        end.completeExceptionally(e);
                    }
                },
                name);
        thread.start();
    }

    private interface Body {
        void run() throws Exception;
    }

    /** Reads ranges, some of them in two parts of one version. */
    private void read(CachedStore store, long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < READS; i++) {
            int ints = 1 + random.nextInt(SIZE / Integer.BYTES);
            long at = random.nextInt(SIZE / Integer.BYTES - ints + 1) * (long) Integer.BYTES;
            ByteRange range = new ByteRange.Slice(at, ints * (long) Integer.BYTES);
            int before = stored.get();
            FetchResult.Found first = Reading.found(store, KEY, range);
            int version = version(first);
            assertTrue(version >= before && version <= begun.get(), version + " is older than " + before);
            if (first.version().isPresent()) {
                try {
                    FetchResult second = Reading.fetch(store, KEY, range, first.version());
                    assertEquals(version, version((FetchResult.Found) second), "the second part of one version");
                } catch (ObjectChangedException e) {
                    // the caller begins again
                }
            }
        }
    }

    private static int version(FetchResult.Found found) {
        ByteBuffer bytes = ByteBuffer.wrap(found.bytes().toArray());
        int version = bytes.getInt();
        while (bytes.hasRemaining()) {
            assertEquals(version, bytes.getInt(), "a mixture of versions");
        }
        return version;
    }

    /** Removes files, folders, or everything. */
    private void vandalize(CachedStore store) throws IOException {
        Random random = new Random(5);
        while (!over.get()) {
            int kind = random.nextInt(20);
            if (kind == 0) {
                store.clear();
                continue;
            }
            for (Path file : files()) {
                if (kind == 1 || random.nextInt(100) == 0) {
                    file.toFile().delete();
                }
            }
        }
    }

    private List<Path> files() {
        try (Stream<Path> all = Files.walk(folder.resolve("cache"))) {
            return all.sorted(Comparator.reverseOrder()).toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of(); // vanished meanwhile
        }
    }

    @ParameterizedTest
    @EnumSource
    void reads_ofAChangingObjectInAVanishingFolder_areOfOneVersionThatIsNotOld(Server kind) throws Exception {
        List<CompletableFuture<String>> readers = new ArrayList<>();
        List<CompletableFuture<String>> others = new ArrayList<>();
        try (RangeServer server = RangeServer.start().quirks(kind.quirks);
                CachedStore one = open(server);
                CachedStore other = open(server)) {
            put(server);
            try {
                start(others, "replacer", () -> {
                    while (!over.get()) {
                        put(server);
                        int seen = server.log().size();
                        while (!over.get() && server.log().size() < seen + 3) {
                            Thread.onSpinWait(); // some reads are of one version
                        }
                    }
                });
                start(others, "vandal", () -> vandalize(one));
                for (int i = 0; i < READERS; i++) {
                    long seed = i;
                    CachedStore store = i % 2 == 0 ? one : other;
                    start(readers, "reader", () -> read(store, seed));
                }
                for (CompletableFuture<String> reader : readers) {
                    reader.get(300, TimeUnit.SECONDS);
                }
            } finally {
                over.set(true);
            }
            for (CompletableFuture<String> end : others) {
                end.get(60, TimeUnit.SECONDS);
            }
            assertOffline(server);
        }
    }

    /** What stays in the folder is one version too. If the vandal was last, the folder may lack the mark of a cache. */
    private void assertOffline(RangeServer server) throws IOException {
        CachedStore.Builder builder = CachedStore.builder(HttpStore.at(server.uri()), folder.resolve("cache"))
                .mode(CacheMode.OFFLINE);
        if (!Files.exists(folder.resolve("cache/shardkit-cache")) && files().size() > 1) {
            assertThrows(StoreException.class, builder::open);
            return;
        }
        Optional<Integer> last = Optional.empty();
        try (CachedStore store = builder.open()) {
            for (int at = 0; at < SIZE; at += 1024) {
                try {
                    int version = version(Reading.found(store, KEY, new ByteRange.Slice(at, 1024)));
                    assertFalse(last.isPresent() && last.get() != version, "two versions offline");
                    last = Optional.of(version);
                } catch (StoreException e) {
                    continue; // not kept
                }
            }
        }
    }
}
