package dev.shardkit.store.cache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.Copies;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.Listings;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.Writes;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.http.HttpStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.server.RangeServer;
import dev.shardkit.testkit.store.RemoteAdapter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which requests a cached store sends. */
@Timeout(120)
class CacheRequestsTest {
    private static final byte[] VALUE = Reading.bytes(1, 200_000);

    @TempDir
    private Path folder;

    private final RangeServer server = RangeServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    /** A new store each time, as in a new process. */
    private CachedStore open(CacheMode mode) throws IOException {
        HttpStore http = HttpStore.builder(server.uri().resolve("/root/"))
                .freshFor(Duration.ofMinutes(10))
                .build();
        return CachedStore.builder(http, folder.resolve("cache")).mode(mode).open();
    }

    private CachedStore open() throws IOException {
        return open(CacheMode.CHECK);
    }

    private List<String> ranges() {
        List<String> ranges = server.log().stream()
                .map(hit -> hit.range().orElse("all") + " " + hit.status())
                .toList();
        server.clearLog();
        return ranges;
    }

    private static byte[] part(int offset, int length) {
        return Arrays.copyOfRange(VALUE, offset, offset + length);
    }

    @Test
    void fetch_again_sendsOneCheckForEachObject() throws IOException {
        server.put("root/k", VALUE);
        try (Store store = open()) {
            assertArrayEquals(part(100, 50), Reading.slice(store, "k", 100, 50));
            assertArrayEquals(part(5000, 9000), Reading.slice(store, "k", 5000, 9000));
        }
        assertEquals(List.of("bytes=100-149 206", "bytes=5000-13999 206"), ranges());
        try (CachedStore store = open()) {
            FetchResult.Found first = Reading.found(store, "k", new ByteRange.Slice(100, 50));
            assertArrayEquals(part(100, 50), first.bytes().toArray());
            assertArrayEquals(part(5000, 9000), Reading.pinned(store, "k", 5000, 9000, first.version()));
            assertArrayEquals(part(6000, 10), Reading.pinned(store, "k", 6000, 10, first.version()));
            assertEquals(new CacheMetrics(3, 0, 1, 9060, 0, 0, 0), store.metrics());
        }
        assertEquals(List.of("bytes=0-0 206"), ranges());
    }

    @Test
    void fetch_partlyKept_asksForTheRest() throws IOException {
        server.put("root/k", VALUE);
        try (CachedStore store = open()) {
            Reading.slice(store, "k", 0, 1000);
            Reading.slice(store, "k", 3000, 1000);
            Reading.slice(store, "k", 5000, 1000);
            ranges();
            assertArrayEquals(part(500, 5000), Reading.slice(store, "k", 500, 5000));
            assertEquals(List.of("bytes=1000-4999 206"), ranges());
            assertArrayEquals(part(0, 6000), Reading.slice(store, "k", 0, 6000));
            assertEquals(List.of("bytes=0-0 206"), ranges());
        }
    }

    @Test
    void fetch_suffixAndWhole_areKeptAsRanges() throws IOException {
        server.put("root/k", VALUE);
        try (Store store = open()) {
            Reading.found(store, "k", new ByteRange.Suffix(1000));
        }
        ranges();
        try (Store store = open()) {
            FetchResult.Found found = Reading.found(store, "k", new ByteRange.Suffix(500));
            assertArrayEquals(part(199_500, 500), found.bytes().toArray());
            assertArrayEquals(part(199_000, 10), Reading.pinned(store, "k", 199_000, 10, found.version()));
            assertEquals(List.of("bytes=0-0 206"), ranges());
            assertArrayEquals(VALUE, Reading.whole(store, "k"));
            assertEquals(List.of("bytes=0-198999 206"), ranges());
        }
    }

    @Test
    void fetch_changedObject_isReadAgain() throws IOException {
        byte[] other = Reading.bytes(2, 150_000);
        server.put("root/k", VALUE);
        try (Store store = open()) {
            FetchResult.Found old = Reading.found(store, "k", ByteRange.whole());
            server.put("root/k", other);
            assertArrayEquals(other, Reading.whole(store, "k"));
            assertThrows(
                    ObjectChangedException.class,
                    () -> Reading.fetch(store, "k", new ByteRange.Slice(0, 10), old.version()));
            server.put("root/k", new byte[0]);
            assertEquals(0, Reading.whole(store, "k").length);
            server.remove("root/k");
            assertInstanceOf(FetchResult.Absent.class, Reading.fetch(store, "k", ByteRange.whole(), Optional.empty()));
            server.put("root/k", VALUE);
            assertArrayEquals(VALUE, Reading.whole(store, "k"));
        }
    }

    @Test
    void fetch_ofTheSameRangeAtOnce_sendsOneRequest() throws Exception {
        server.put("root/k", VALUE);
        try (Store store = open()) {
            RangeServer.Hold hold = server.holdBodies();
            List<CompletableFuture<FetchResult>> all = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                all.add(((RemoteReads) store.reads())
                        .fetch("k", new ByteRange.Slice(1000, 5000), Optional.empty(), StoreListener.NONE));
            }
            hold.awaitReached();
            assertTrue(all.get(0).cancel(true), "the one that sent the request");
            hold.release();
            for (CompletableFuture<FetchResult> future : all.subList(1, all.size())) {
                assertArrayEquals(
                        part(1000, 5000),
                        ((FetchResult.Found) future.get()).bytes().toArray());
            }
            assertEquals(List.of("bytes=1000-5999 206"), ranges());
        }
    }

    @Test
    void fetch_cancelledByAll_endsTheRequest() throws Exception {
        server.put("root/k", Reading.bytes(1, 8 << 20));
        try (Store store = open()) {
            RangeServer.Hold hold = server.holdBodies();
            CompletableFuture<FetchResult> first =
                    ((RemoteReads) store.reads()).fetch("k", ByteRange.whole(), Optional.empty(), StoreListener.NONE);
            CompletableFuture<FetchResult> second =
                    ((RemoteReads) store.reads()).fetch("k", ByteRange.whole(), Optional.empty(), StoreListener.NONE);
            hold.awaitReached();
            first.cancel(true);
            second.cancel(true);
            hold.release();
            server.awaitAborted();
        }
    }

    @Test
    void offline_servesWhatIsKeptAndSaysWhatIsMissing() throws IOException {
        server.put("root/k", VALUE);
        try (Store store = open()) {
            Reading.slice(store, "k", 0, 1000);
            Reading.fetch(store, "none", ByteRange.whole(), Optional.empty());
        }
        ranges();
        try (CachedStore store = open(CacheMode.OFFLINE)) {
            assertArrayEquals(part(10, 20), Reading.slice(store, "k", 10, 20));
            assertInstanceOf(
                    FetchResult.Absent.class, Reading.fetch(store, "none", ByteRange.whole(), Optional.empty()));
            StoreException part = assertThrows(StoreException.class, () -> Reading.slice(store, "k", 990, 20));
            assertTrue(part.getMessage().contains("bytes 1000 to 1010 of k are not kept"), part.getMessage());
            StoreException all = assertThrows(StoreException.class, () -> Reading.whole(store, "other"));
            assertTrue(all.getMessage().contains("nothing of other is kept"), all.getMessage());
            assertTrue(all.getMessage().contains(store.describe()), all.getMessage());
            assertTrue(store.find(Writes.class).isEmpty());
            assertTrue(store.find(Listings.class).isEmpty());
        }
        assertEquals(List.of(), ranges());
    }

    @Test
    void trust_sendsRequestsForWhatIsNotKeptOnly() throws IOException {
        server.put("root/k", VALUE);
        try (Store store = open(CacheMode.TRUST)) {
            Reading.slice(store, "k", 0, 1000);
            ranges();
            Reading.slice(store, "k", 0, 1000);
            assertEquals(List.of(), ranges());
            Reading.slice(store, "k", 0, 2000);
            assertEquals(List.of("bytes=1000-1999 206"), ranges());
            Reading.fetch(store, "none", ByteRange.whole(), Optional.empty());
            Reading.fetch(store, "none", ByteRange.whole(), Optional.empty());
            assertEquals(2, ranges().size(), "absence is asked again");
        }
    }

    @Test
    void stores_ofAFolderAndOfAFolderInIt_shareWhatTheyKeep() throws IOException {
        server.put("root/a/k", VALUE);
        try (Store store = open()) {
            Reading.whole(store, "a/k");
        }
        ranges();
        HttpStore inner = HttpStore.at(server.uri().resolve("/root/a"));
        try (Store store = CachedStore.of(inner, folder.resolve("cache"), 1 << 20)) {
            assertArrayEquals(VALUE, Reading.whole(store, "k"));
        }
        assertEquals(List.of("bytes=0-0 206"), ranges());
    }

    @Test
    void put_andDelete_dropWhatIsKept() throws IOException {
        MemoryStore behind = MemoryStore.conditional("remote");
        Path cache = folder.resolve("cache");
        try (CachedStore store = CachedStore.of(RemoteAdapter.of(behind), cache, 1 << 30)) {
            BlockingStore access = BlockingStore.to(store);
            for (String key : List.of("a/b", "a/c", "ab")) {
                access.put(key, Content.of(Bytes.of(VALUE)), Durability.ATOMIC);
                Reading.whole(store, key);
            }
            long kept = store.bytesOnDisk();
            access.put("a/b", Content.of(Bytes.of(part(0, 10))), Durability.ATOMIC);
            long dropped = store.bytesOnDisk();
            assertTrue(dropped <= kept - VALUE.length, dropped + " of " + kept);
            assertArrayEquals(part(0, 10), Reading.whole(store, "a/b"));
            access.delete("ab");
            assertTrue(store.bytesOnDisk() <= kept - 2 * VALUE.length + 8192);
            store.need(TreeDeletions.class, "a test").deleteAll("a");
            assertEquals(0, store.bytesOnDisk());
        }
    }

    /** A cache that trusts its versions would return the old content as long as it is there. */
    @Test
    void copy_dropsTheTargetThatIsKept() throws IOException {
        for (CacheMode mode : List.of(CacheMode.CHECK, CacheMode.TRUST)) {
            RemoteAdapter remote =
                    RemoteAdapter.of(MemoryStore.conditional("remote")).keeping(Set.of(Copies.class));
            try (CachedStore store = CachedStore.builder(remote, folder.resolve("" + mode))
                    .mode(mode)
                    .open()) {
                BlockingStore access = BlockingStore.to(store);
                access.put("from", Content.of(Bytes.of(part(0, 10))), Durability.ATOMIC);
                access.put("to", Content.of(Bytes.of(VALUE)), Durability.ATOMIC);
                assertArrayEquals(VALUE, Reading.whole(store, "to"));
                assertTrue(store.bytesOnDisk() > VALUE.length);
                assertTrue(access.copy("from", "to", Durability.ATOMIC));
                assertEquals(0, store.bytesOnDisk(), mode + ": the old content is dropped");
                assertArrayEquals(part(0, 10), Reading.whole(store, "to"), "" + mode);
            }
        }
    }

    @Test
    void clear_dropsTheStoresObjectsOnly() throws IOException {
        server.put("root/k", VALUE).put("other/k", VALUE);
        HttpStore http = HttpStore.at(server.uri().resolve("/other"));
        try (CachedStore store = open();
                CachedStore other = CachedStore.of(http, folder.resolve("cache"), 1 << 30)) {
            Reading.whole(store, "k");
            Reading.whole(other, "k");
            long both = store.bytesOnDisk();
            store.clear();
            assertEquals(both / 2, store.bytesOnDisk());
            ranges();
            Reading.whole(other, "k");
            assertEquals(List.of("bytes=0-0 206"), ranges());
        }
    }

    @Test
    void open_ofALocalStore_isRefused() {
        IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class,
                () -> CachedStore.of(MemoryStore.create(), folder.resolve("cache"), 1000));
        assertTrue(e.getMessage().contains("remote"), e.getMessage());
    }

    @Test
    void open_ofALocationWithHiddenParts_needsAnIdentity() throws IOException {
        HttpStore http = HttpStore.at(server.uri().resolve("/root?sig=secret"));
        CachedStore.Builder builder = CachedStore.builder(http, folder.resolve("cache"));
        assertThrows(IllegalArgumentException.class, builder::open);
        builder.identity("named").open().close();
    }
}
