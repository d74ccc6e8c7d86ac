package dev.shardkit.store.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.cloud.WriteIds;
import dev.shardkit.store.cloudtest.ScriptedServer;
import dev.shardkit.store.policy.Durability;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Uploads in parts: on a real server, and with answers that go wrong. */
@Timeout(60)
class MultipartUploadTest {
    private static final int PART = 5 << 20;
    private static final Bytes TWO_PARTS = Bytes.zeros(PART + 1);
    private static final String BEGUN =
            "<InitiateMultipartUploadResult><UploadId>up/1</UploadId></InitiateMultipartUploadResult>";
    private static final String COMPLETED =
            "<CompleteMultipartUploadResult><ETag>&quot;whole-2&quot;</ETag></CompleteMultipartUploadResult>";
    private static final Map<String, String> TAG = Map.of("ETag", "\"part\"");

    private final FakeS3 server = new FakeS3();
    private final S3Store store = server.builder().partSize(PART).build();

    @AfterEach
    void close() {
        store.close();
        server.close();
    }

    private WriteResult put(Condition condition) throws Throwable {
        try {
            return store.store()
                    .bulk()
                    .putLarge("a", TWO_PARTS, condition, WriteIds.alone())
                    .get();
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }

    private void awaitRequests(int count) {
        while (server.seen.size() < count) {
            Thread.onSpinWait();
        }
    }

    @Test
    void largeObject_isPutUnderItsCondition_andReadBack() throws Exception {
        byte[] value = new byte[12 * 1000 * 1000];
        new Random(7).nextBytes(value);
        try (S3Store real = Versity.builder(Versity.fresh()).partSize(PART).build()) {
            BlockingStore access = BlockingStore.to(real);
            Content content = Content.of(Bytes.of(value));
            WriteResult made = access.put("a", content, Condition.ABSENT, Durability.ATOMIC);
            assertEquals(WriteResult.NOT_MET, access.put("a", content, Condition.ABSENT, Durability.ATOMIC));
            ObjectSnapshot read = access.open("a").orElseThrow();
            assertEquals(Optional.of(read.version()), ((WriteResult.Done) made).version());
            ByteBuffer all = ByteBuffer.allocate(value.length);
            read.read(0, all);
            assertEquals(ByteBuffer.wrap(value), all.flip());
            Condition unchanged = Condition.version(read.version());
            assertInstanceOf(WriteResult.Done.class, access.put("a", content, unchanged, Durability.ATOMIC));
        }
    }

    @Test
    void part_thatFails_isSentAgainAlone() throws Throwable {
        server.then(200, Map.of(), BEGUN)
                .then(200, TAG, "")
                .then(503, "SlowDown")
                .then(200, TAG, "");
        server.then(200, Map.of(), COMPLETED);
        assertEquals(new WriteResult.Done(Optional.of("s:\"whole-2\"")), put(Condition.ABSENT));
        assertEquals(5, server.seen.size());
        ScriptedServer.Seen last = server.seen.get(4);
        assertEquals(Optional.of("*"), last.header("if-none-match"));
        assertEquals("uploadId=up%2F1", last.uri().getRawQuery());
        assertTrue(last.body().contains("<PartNumber>2</PartNumber>"), last.body());
    }

    @Test
    void failedPart_abortsTheUpload() {
        server.then(200, Map.of(), BEGUN).then(403, "AccessDenied").then(403, "AccessDenied");
        StoreException e = assertThrows(StoreException.class, () -> put(Condition.ANY));
        assertTrue(e.getMessage().contains("of 2 of a in s3://bucket/root"), e.getMessage());
        awaitAbort();
    }

    private void awaitAbort() {
        while (server.seen.stream().noneMatch(request -> request.method().equals("DELETE"))) {
            Thread.onSpinWait();
        }
    }

    @Test
    void lostRace_abortsTheUpload() throws Throwable {
        server.then(200, Map.of(), BEGUN).then(200, TAG, "").then(200, TAG, "").then(412, "PreconditionFailed");
        assertEquals(WriteResult.NOT_MET, put(Condition.version("s:\"old\"")));
        awaitAbort();
    }

    @Test
    void failureInASuccessfulAnswer_isRetried() throws Throwable {
        server.then(200, Map.of(), BEGUN).then(200, TAG, "").then(200, TAG, "");
        server.then(200, "InternalError").then(200, Map.of(), COMPLETED);
        assertInstanceOf(WriteResult.Done.class, put(Condition.ANY));
        assertEquals(5, server.seen.size());
    }

    @Test
    void completion_whoseAnswerWasLost_isRecognizedByTheWriteId() throws Throwable {
        server.then(200, Map.of(), BEGUN)
                .then(200, TAG, "")
                .then(200, TAG, "")
                .then(0, "")
                .then(404, "NoSuchUpload");
        var outcome = store.store().bulk().putLarge("a", TWO_PARTS, Condition.ABSENT, WriteIds.alone());
        awaitRequests(1);
        String id = server.seen.get(0).header(S3Origin.WRITE_ID).orElseThrow();
        server.then(200, Map.of("ETag", "\"whole-2\"", S3Origin.WRITE_ID, id), "");
        assertEquals(new WriteResult.Done(Optional.of("s:\"whole-2\"")), outcome.get());
    }
}
