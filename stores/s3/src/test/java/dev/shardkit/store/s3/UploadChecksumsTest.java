package dev.shardkit.store.s3;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Content.Part;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.cloud.CloudRequest;
import dev.shardkit.store.cloud.Crc32cBase64;
import dev.shardkit.store.cloud.PutBody;
import dev.shardkit.store.cloud.WriteIds;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.store.remote.RetriedOperation;
import dev.shardkit.transport.Payload;
import dev.shardkit.transport.Request;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checksums on request: which requests carry them, and what a real server makes of them. */
@Timeout(60)
class UploadChecksumsTest {
    private static final int PART = 5 << 20;
    private static final Map<String, String> TAG = Map.of("ETag", "\"abc\"");
    /** The CRC32C of "abc". */
    private static final String ABC = "Nks/tw==";

    private final FakeS3 server = new FakeS3();

    @AfterEach
    void close() {
        server.close();
    }

    private static WriteResult put(S3Store store, String key, byte[] value) throws Throwable {
        try {
            return store.store()
                    .put(key, Content.of(Bytes.of(value)), Condition.ANY, Durability.ATOMIC)
                    .toCompletableFuture()
                    .get();
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }

    private static FetchResult fetch(S3Store store, String key, ByteRange range) throws Throwable {
        try {
            return store.store()
                    .fetch(key, range, Optional.empty(), StoreListener.NONE)
                    .get();
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }

    private Optional<String> header(int request, String name) {
        return server.seen.get(request).header(name);
    }

    @Test
    void put_carriesTheChecksum_signed() throws Throwable {
        try (S3Store store = server.builder().checksums().build()) {
            server.then(200, TAG, "");
            put(store, "a", "abc".getBytes());
        }
        assertEquals(Optional.of(ABC), header(0, "x-amz-checksum-crc32c"));
        assertTrue(header(0, "authorization").orElseThrow().contains("x-amz-checksum-crc32c"));
    }

    @Test
    void nothingIsSent_byDefault() throws Throwable {
        try (S3Store store = server.builder().build()) {
            server.then(200, TAG, "").then(200, Map.of("ETag", "\"abc\"", "x-amz-checksum-crc32c", ABC), "abd");
            put(store, "a", "abc".getBytes());
            assertInstanceOf(FetchResult.Found.class, fetch(store, "a", ByteRange.whole()));
        }
        server.seen.forEach(seen -> assertTrue(
                seen.headers().keySet().stream().noneMatch(name -> name.contains("checksum")), seen::toString));
    }

    @Test
    void digestThatTheServerFindsWrong_isSentAgain() throws Throwable {
        try (S3Store store = server.builder().checksums().build()) {
            server.then(400, "BadDigest").then(200, TAG, "");
            assertInstanceOf(WriteResult.Done.class, put(store, "a", "abc".getBytes()));
        }
        assertEquals(2, server.seen.size());
    }

    @Test
    void wholeObject_isComparedWithItsChecksum_andReadAgain() throws Throwable {
        Map<String, String> head = Map.of("ETag", "\"t\"", "x-amz-checksum-crc32c", ABC);
        try (S3Store store = server.builder().checksums().build()) {
            server.then(200, head, "abd").then(200, head, "abc");
            FetchResult.Found found = assertInstanceOf(FetchResult.Found.class, fetch(store, "a", ByteRange.whole()));
            assertEquals("abc", new String(found.bytes().toArray()));
            assertEquals(Optional.of("ENABLED"), header(0, "x-amz-checksum-mode"));
            for (int i = 0; i < 4; i++) {
                server.then(200, head, "abd");
            }
            var e = assertThrows(StoreException.class, () -> fetch(store, "a", ByteRange.whole()));
            assertTrue(e.getMessage().contains("expected CRC32C Nks/tw==, found"), e.getMessage());
        }
    }

    @Test
    void checksumOfPartsOrOfNothing_isNotCompared() throws Throwable {
        try (S3Store store = server.builder().checksums().build()) {
            server.then(200, Map.of("ETag", "\"t\"", "x-amz-checksum-crc32c", "AAAAAA==-3"), "abc")
                    .then(200, Map.of("x-amz-checksum-crc32c", "AAAAAA==", "x-amz-checksum-type", "COMPOSITE"), "abc")
                    .then(200, TAG, "abc");
            for (int i = 0; i < 3; i++) {
                assertInstanceOf(FetchResult.Found.class, fetch(store, "a", ByteRange.whole()));
            }
            server.then(206, Map.of("ETag", "\"t\"", "Content-Range", "bytes 1-2/3"), "bc");
            assertInstanceOf(FetchResult.Found.class, fetch(store, "a", new ByteRange.Suffix(2)));
        }
        assertEquals(4, server.seen.size());
        assertEquals(Optional.empty(), header(3, "x-amz-checksum-mode"));
    }

    @Test
    void parts_carryTheirChecksums() throws Throwable {
        PutBody body = PutBody.of(Bytes.zeros(2 * PART + 1));
        try (S3Store store = server.builder().checksums().partSize(PART).build()) {
            server.then(200, Map.of(), "<R><UploadId>up</UploadId></R>");
            for (int i = 0; i < 3; i++) {
                server.then(200, TAG, "");
            }
            server.then(200, Map.of(), "<R><ETag>&quot;whole-3&quot;</ETag></R>");
            store.store()
                    .bulk()
                    .putMoved("a", body, Condition.ANY, WriteIds.alone())
                    .get();
        }
        assertEquals(Optional.of("CRC32C"), header(0, "x-amz-checksum-algorithm"));
        assertEquals(Optional.of("FULL_OBJECT"), header(0, "x-amz-checksum-type"));
        for (int i = 1; i <= 3; i++) {
            boolean last = server.seen.get(i).uri().getQuery().contains("partNumber=3");
            assertEquals(Optional.of(zeros(last ? 1 : PART)), header(i, "x-amz-checksum-crc32c"));
        }
        String document = server.seen.get(4).body();
        assertTrue(document.contains("<ChecksumCRC32C>" + zeros(1) + "</ChecksumCRC32C></Part></Complete"), document);
    }

    @Test
    void partThatTheServerCopies_isNamedWithItsChecksum() throws Throwable {
        PutBody body = new PutBody(List.of(new Part.Stored("old", "s:\"v\"", 0, PART)), PART);
        try (S3Store store = server.builder().checksums().partSize(PART).build()) {
            server.then(200, Map.of(), "<R><UploadId>up</UploadId></R>")
                    .then(
                            200,
                            Map.of(),
                            "<R><ETag>&quot;c&quot;</ETag><ChecksumCRC32C>" + ABC + "</ChecksumCRC32C></R>")
                    .then(200, Map.of(), "<R><ETag>&quot;whole-1&quot;</ETag></R>");
            store.store()
                    .bulk()
                    .putMoved("a", body, Condition.ANY, WriteIds.alone())
                    .get();
        }
        assertEquals(Optional.of("COMPOSITE"), header(0, "x-amz-checksum-type"));
        String document = server.seen.get(2).body();
        assertTrue(document.contains("<ChecksumCRC32C>" + ABC + "</ChecksumCRC32C>"), document);
    }

    private static String zeros(int size) {
        return Crc32cBase64.of(List.of(ByteBuffer.allocate(size)));
    }

    @Test
    void realServer_keepsChecksums_ofSmallAndLargeObjects() throws Throwable {
        byte[] large = new byte[2 * PART + 7];
        new Random(5).nextBytes(large);
        try (S3Store store =
                Versity.builder(Versity.fresh()).checksums().partSize(PART).build()) {
            assertInstanceOf(WriteResult.Done.class, put(store, "small", "abc".getBytes()));
            assertInstanceOf(WriteResult.Done.class, put(store, "large", large));
            assertEquals(Optional.of(ABC), kept(store, "small"));
            assertEquals(Optional.of(Crc32cBase64.of(List.of(ByteBuffer.wrap(large)))), kept(store, "large"));
            for (Map.Entry<String, byte[]> object :
                    Map.of("small", "abc".getBytes(), "large", large).entrySet()) {
                FetchResult.Found found =
                        assertInstanceOf(FetchResult.Found.class, fetch(store, object.getKey(), ByteRange.whole()));
                assertArrayEquals(object.getValue(), found.bytes().toArray());
            }
            assertTrue(store.copy("large", "copy", Durability.ATOMIC));
            assertEquals(kept(store, "large"), kept(store, "copy"));
            FetchResult.Found copy = assertInstanceOf(FetchResult.Found.class, fetch(store, "copy", ByteRange.whole()));
            assertArrayEquals(large, copy.bytes().toArray());
            FetchResult.Found end =
                    assertInstanceOf(FetchResult.Found.class, fetch(store, "large", new ByteRange.Suffix(7)));
            assertEquals(7, end.bytes().size());
        }
    }

    @Test
    void realServer_takesChecksums_besidePartsThatItCopies() throws Throwable {
        byte[] old = new byte[2 * PART];
        new Random(6).nextBytes(old);
        byte[] moved = Arrays.copyOf(old, old.length + 3);
        try (S3Store store =
                Versity.builder(Versity.fresh()).checksums().partSize(PART).build()) {
            String version =
                    ((WriteResult.Done) put(store, "old", old)).version().orElseThrow();
            PutBody body = new PutBody(
                    List.of(new Part.Stored("old", version, 0, old.length), new Part.Literal(Bytes.zeros(3))),
                    moved.length);
            assertInstanceOf(
                    WriteResult.Done.class,
                    uploads(store)
                            .putMoved("moved", body, Condition.ANY, WriteIds.alone())
                            .get());
            assertTrue(kept(store, "moved").orElseThrow().endsWith("-3"), "of the parts' checksums");
            FetchResult.Found found =
                    assertInstanceOf(FetchResult.Found.class, fetch(store, "moved", ByteRange.whole()));
            assertArrayEquals(moved, found.bytes().toArray());
        }
    }

    /** Returns the checksum that the server keeps of an object. */
    private static Optional<String> kept(S3Store store, String key) throws Exception {
        Request head = new Request("HEAD", uri(store, key), Map.of("x-amz-checksum-mode", "ENABLED"), Payload.NONE);
        return send(store, head, response -> Optional.of(response.headers().firstValue(UploadChecksums.HEADER)));
    }

    private static URI uri(S3Store store, String key) {
        S3Origin origin = uploads(store).origin();
        return origin.bucket().object(origin.location().nameOf(key));
    }

    private static MultipartUpload uploads(S3Store store) {
        return (MultipartUpload) store.store().bulk();
    }

    private static <T> T send(S3Store store, Request request, CloudRequest.ResponseHandler<T> handler)
            throws Exception {
        var task = new CloudRequest<>(uploads(store).origin(), "a test", () -> request, CloudRequest.SMALL, handler);
        return new RetriedOperation<>(uploads(store).changes().context(), task)
                .start()
                .get();
    }

    @Test
    void realServer_refusesBytesOfAnotherChecksum() throws Throwable {
        try (S3Store store = Versity.builder(Versity.fresh()).checksums().build()) {
            Request wrong = new Request(
                    "PUT",
                    uri(store, "a"),
                    Map.of(UploadChecksums.HEADER, ABC),
                    Payload.of(List.of(ByteBuffer.wrap("abd".getBytes()))));
            var e = assertThrows(ExecutionException.class, () -> send(store, wrong, response -> Optional.of(true)));
            assertTrue(e.getCause().getMessage().contains("HTTP 400"), e.getCause()::getMessage);
            assertInstanceOf(FetchResult.Absent.class, fetch(store, "a", ByteRange.whole()));
        }
    }
}
