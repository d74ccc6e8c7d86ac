package dev.shardkit.store.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.FetchRequest;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.Reads;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Cancelling a read ends all requests that it has sent to the stores below. */
class RemoteReferencesTest {
    private static final String DOCUMENT = "{\"version\":1,\"refs\":{"
            + "\"whole\":[\"http://h.example/a\"],"
            + "\"part\":[\"http://h.example/b\",10,32],"
            + "\"pieces\":[[\"http://h.example/a\",0,4],\"base64:AAAA\",[\"http://h.example/b\",8,4]]}}";

    /** Answers nothing but the document. */
    private static final class Silent implements Store, RemoteReads {
        @Override
        public Reads reads() {
            return this;
        }

        private final List<CompletableFuture<FetchResult>> asked;

        Silent(List<CompletableFuture<FetchResult>> asked) {
            this.asked = asked;
        }

        @Override
        public CompletableFuture<FetchResult> fetch(FetchRequest request) {
            if (request.key().endsWith("refs.json")) {
                Bytes document = Bytes.of(DOCUMENT.getBytes(StandardCharsets.UTF_8));
                return CompletableFuture.completedFuture(
                        new FetchResult.Found(document, document.size(), Optional.of("1")));
            }
            CompletableFuture<FetchResult> future = new CompletableFuture<>();
            asked.add(future);
            return future;
        }

        @Override
        public int maxRequests() {
            return 77;
        }

        @Override
        public String describe() {
            return "silent";
        }
    }

    private final List<CompletableFuture<FetchResult>> asked = new ArrayList<>();

    private Store open() throws Exception {
        return ReferenceStore.builder(URI.create("http://h.example/refs.json"), u -> new Silent(asked))
                .open();
    }

    private void assertCancels(String key, ByteRange range, int requests) throws Exception {
        asked.clear();
        try (Store store = open()) {
            CompletableFuture<FetchResult> read =
                    ((RemoteReads) store.reads()).fetch(key, range, Optional.empty(), StoreListener.NONE);
            assertEquals(requests, asked.size(), key);
            assertTrue(read.cancel(true));
            assertTrue(asked.stream().allMatch(CompletableFuture::isCancelled), key);
        }
    }

    @Test
    void cancel_reachesEachRequest_ofEachKindOfReference() throws Exception {
        assertCancels("whole", ByteRange.whole(), 1);
        assertCancels("whole", new ByteRange.Slice(3, 4), 1);
        assertCancels("part", ByteRange.whole(), 1);
        assertCancels("part", new ByteRange.Suffix(4), 1);
        assertCancels("pieces", ByteRange.whole(), 2);
        assertCancels("__target/0", new ByteRange.Slice(3, 4), 1);
    }

    @Test
    void asManyRequests_asTheStoresBelowTake_areUnderWay() throws Exception {
        try (Store store = open()) {
            assertEquals(16, ((RemoteReads) store.reads()).maxRequests());
            ((RemoteReads) store.reads()).fetch("whole", ByteRange.whole(), Optional.empty(), StoreListener.NONE);
            assertEquals(77, ((RemoteReads) store.reads()).maxRequests());
        }
    }
}
