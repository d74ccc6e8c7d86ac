package dev.shardkit.store.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.CorruptDataException;
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
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** Reads of references are requests to the stores below, which end with them, and whose answers are checked. */
class RemoteReferencesTest {
    private static final String DOCUMENT = "{\"version\":1,\"refs\":{"
            + "\"whole\":[\"http://h.example/a\"],"
            + "\"part\":[\"http://h.example/b\",10,32],"
            + "\"sized\":[[\"http://h.example/a\",0,4,100]],"
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

    /** The bytes of a file that got another size are not those that the document means. */
    @Test
    void objectOfAnotherSize_thanTheDocumentSays_isRefused() throws Exception {
        for (long size : new long[] {99, 100, 101}) {
            asked.clear();
            try (Store store = open()) {
                CompletableFuture<FetchResult> read = ((RemoteReads) store.reads())
                        .fetch("sized", ByteRange.whole(), Optional.empty(), StoreListener.NONE);
                asked.get(0).complete(new FetchResult.Found(Bytes.of(new byte[4]), size, Optional.of("1")));
                if (size == 100) {
                    assertEquals(4, ((FetchResult.Found) read.get()).bytes().size());
                } else {
                    Throwable cause =
                            assertThrows(ExecutionException.class, read::get).getCause();
                    assertInstanceOf(CorruptDataException.class, cause);
                    assertTrue(cause.getMessage().contains("expected 100 bytes, found " + size), cause.getMessage());
                }
            }
        }
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
