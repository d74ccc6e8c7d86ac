package dev.shardkit.store.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.Leftover;
import dev.shardkit.store.Listings;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.cloudtest.ScriptedServer;
import dev.shardkit.store.policy.Durability;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the store makes of a server's answers, and which requests it sends. */
@Timeout(60)
class S3AnswersTest {
    private static final Map<String, String> TAG = Map.of("ETag", "\"abc\"");
    private static final String LISTING =
            "<ListBucketResult><Contents><Key>root/a/zarr.json</Key><ETag>&quot;abc&quot;</ETag><Size>8</Size>"
                    + "</Contents></ListBucketResult>";
    private static final Content CONTENT = Content.of(Bytes.of(new byte[] {1, 2, 3}));

    private final FakeS3 server = new FakeS3();
    private final S3Store store = server.builder().build();

    @AfterEach
    void close() {
        store.close();
        server.close();
    }

    private FetchResult fetch(ByteRange range) throws Throwable {
        try {
            return store.store()
                    .fetch("a/zarr.json", range, Optional.empty(), StoreListener.NONE)
                    .get();
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }

    private WriteResult put(Condition condition) throws Throwable {
        try {
            return store.store()
                    .put("a/c/0", CONTENT, condition, Durability.ATOMIC)
                    .toCompletableFuture()
                    .get();
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }

    private ScriptedServer.Seen request(int index) {
        return server.seen.get(index);
    }

    @Test
    void read_isOneSignedRangeRequest() throws Throwable {
        server.then(206, Map.of("ETag", "\"abc\"", "Content-Range", "bytes 6-7/8"), "xy");
        FetchResult.Found found = assertInstanceOf(FetchResult.Found.class, fetch(new ByteRange.Suffix(2)));
        assertEquals(8, found.objectSize());
        assertEquals(1, server.seen.size());
        assertEquals("/bucket/root/a/zarr.json", request(0).uri().toString());
        assertEquals(Optional.of("bytes=-2"), request(0).header("range"));
        String signature = request(0).header("authorization").orElseThrow();
        assertTrue(signature.startsWith("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/"), signature);
        assertTrue(signature.contains("/eu-central-1/s3/aws4_request"), signature);
    }

    /** Something on the way has shortened the object together with its Content-Length. */
    @Test
    void answerOfAnotherSizeThanInTheListing_isAskedForAgain_andThenRefused() throws Throwable {
        server.then(200, Map.of(), LISTING);
        try (Listings.Names names = store.store().list("a", Listings.Depth.ONE)) {
            assertEquals(1, names.next().toCompletableFuture().get().size());
        }
        server.then(200, TAG, "1234").then(200, TAG, "12345678");
        FetchResult.Found found = assertInstanceOf(FetchResult.Found.class, fetch(ByteRange.whole()));
        assertEquals(8, found.bytes().size());
        server.then(206, Map.of("ETag", "\"abc\"", "Content-Range", "bytes 0-1/4"), "12")
                .then(206, Map.of("ETag", "\"abc\"", "Content-Range", "bytes 0-1/8"), "12");
        assertEquals(
                8,
                assertInstanceOf(FetchResult.Found.class, fetch(new ByteRange.Slice(0, 2)))
                        .objectSize());
        server.then(200, TAG, "123456789").then(200, TAG, "12345678");
        assertEquals(
                8,
                assertInstanceOf(FetchResult.Found.class, fetch(ByteRange.whole()))
                        .bytes()
                        .size());
        for (int i = 0; i < 8; i++) {
            server.then(200, TAG, "1234");
        }
        StoreException refused = assertThrows(StoreException.class, () -> fetch(ByteRange.whole()));
        assertTrue(
                refused.getMessage().contains("expected an object of 8 bytes, as the listing names this version"),
                refused.getMessage());
    }

    /** Repair aborts what is reported: an upload that may be running must not be. */
    @Test
    void uploads_areReported_onceTheyAreOldEnough() {
        Instant now = Instant.now();
        StringBuilder uploads = new StringBuilder("<ListMultipartUploadsResult>");
        for (Map.Entry<String, Object> upload : Map.<String, Object>of(
                        "old", now.minus(Duration.ofHours(25)),
                        "running", now.minus(Duration.ofHours(23)),
                        "ahead", now.plus(Duration.ofHours(1)),
                        "undated", "yesterday")
                .entrySet()) {
            uploads.append("<Upload><Key>root/a/").append(upload.getKey()).append("</Key><UploadId>id</UploadId>");
            uploads.append("<Initiated>").append(upload.getValue()).append("</Initiated></Upload>");
        }
        server.then(200, Map.of(), uploads + "</ListMultipartUploadsResult>")
                .then(200, Map.of(), "<ListPartsResult><Part><Size>5</Size></Part></ListPartsResult>");
        List<Leftover> found = new ArrayList<>();
        store.leftovers("a", found::add);
        assertEquals(
                List.of(new Leftover(Leftover.Kind.TEMPORARY, "root/a/old, upload id", Optional.of("a/old"), 5)),
                found);
    }

    /** The object was replaced after the listing. */
    @Test
    void answerOfAnotherVersionThanInTheListing_mayHaveAnotherSize() throws Throwable {
        server.then(200, Map.of(), LISTING).then(200, Map.of("ETag", "\"new\""), "1234");
        try (Listings.Names names = store.store().list("a", Listings.Depth.ONE)) {
            assertEquals(1, names.next().toCompletableFuture().get().size());
        }
        assertEquals(
                4,
                assertInstanceOf(FetchResult.Found.class, fetch(ByteRange.whole()))
                        .bytes()
                        .size());
    }

    @Test
    void readsOfOneObject_shareASignature() throws Throwable {
        server.then(206, Map.of("ETag", "\"abc\"", "Content-Range", "bytes 6-7/8"), "xy")
                .then(206, Map.of("ETag", "\"abc\"", "Content-Range", "bytes 0-1/8"), "ab");
        fetch(new ByteRange.Suffix(2));
        fetch(new ByteRange.Slice(0, 2));
        assertEquals(Optional.of("bytes=0-1"), request(1).header("range"));
        assertEquals(request(0).header("authorization"), request(1).header("authorization"));
        assertEquals(request(0).header("x-amz-date"), request(1).header("x-amz-date"));
    }

    @Test
    void anonymous_sendsNoSignature() throws Throwable {
        try (S3Store anonymous = server.builder().anonymous().build()) {
            server.then(404, "NoSuchKey");
            FetchResult found = anonymous
                    .store()
                    .fetch("k", ByteRange.whole(), Optional.empty(), StoreListener.NONE)
                    .get();
            assertInstanceOf(FetchResult.Absent.class, found);
            assertEquals(Optional.empty(), request(0).header("authorization"));
        }
    }

    /** Absence is only a definite "no such key": versitygw answers an unknown access key with the second. */
    @ParameterizedTest
    @ValueSource(strings = {"NoSuchBucket", "XAdminUserNotFound"})
    void other404s_areErrors_notAbsence(String code) {
        server.then(404, code);
        StoreException e = assertThrows(StoreException.class, () -> fetch(ByteRange.whole()));
        assertTrue(e.getMessage().contains(code), e.getMessage());
    }

    @Test
    void denied_namesBucketKeyAndRequest_andNoSecret() {
        server.then(
                403,
                Map.of("x-amz-request-id", "RID7"),
                "<Error><Code>AccessDenied</Code><Message>No</Message></Error>");
        StoreException e = assertThrows(StoreException.class, () -> fetch(ByteRange.whole()));
        for (String part : new String[] {"s3://bucket/root", "a/zarr.json", "RID7", "HTTP 403", "AccessDenied: No"}) {
            assertTrue(e.getMessage().contains(part), e.getMessage());
        }
        assertFalse(String.valueOf(e).contains("SECRET"), e.getMessage());
        assertEquals(1, server.seen.size(), "not retried");
    }

    @Test
    void slowDown_isRetried() throws Throwable {
        server.then(503, "SlowDown").then(429, "").then(200, TAG, "xyz");
        assertInstanceOf(FetchResult.Found.class, fetch(ByteRange.whole()));
        assertEquals(3, server.seen.size());
    }

    @Test
    void otherRegion_isLearned() throws Throwable {
        server.then(400, "AuthorizationHeaderMalformed").then(200, TAG, "xyz").then(200, TAG, "xyz");
        fetch(ByteRange.whole());
        fetch(ByteRange.whole());
        assertEquals(3, server.seen.size());
        assertTrue(request(2).header("authorization").orElseThrow().contains("/eu-west-3/s3/"));
    }

    @Test
    void sizeInTheBodyOnly_tellsThatTheRangeIsPastTheEnd() {
        server.then(416, Map.of(), "<Error><Code>InvalidRange</Code><ActualObjectSize>5</ActualObjectSize></Error>");
        server.then(206, Map.of("ETag", "\"t\"", "Content-Range", "bytes 0-0/5"), "x"); // it is not encoded
        CorruptDataException e = assertThrows(CorruptDataException.class, () -> fetch(new ByteRange.Slice(7, 2)));
        assertTrue(e.getMessage().contains("an object of 5 bytes"), e.getMessage());
    }

    @Test
    void put_sendsConditionAndWriteId() throws Throwable {
        server.then(200, TAG, "").then(200, TAG, "");
        assertEquals(new WriteResult.Done(Optional.of("s:\"abc\"")), put(Condition.ABSENT));
        assertEquals(new WriteResult.Done(Optional.of("s:\"abc\"")), put(Condition.version("s:\"old\"")));
        assertEquals(Optional.of("*"), request(0).header("if-none-match"));
        assertEquals(Optional.of("\"old\""), request(1).header("if-match"));
        assertTrue(request(1).header(S3Origin.WRITE_ID).isPresent());
        assertEquals("\u0001\u0002\u0003", request(1).body());
    }

    @Test
    void put_refused_isNotMet() throws Throwable {
        server.then(412, "PreconditionFailed").then(404, "NoSuchKey");
        assertEquals(WriteResult.NOT_MET, put(Condition.version("s:\"old\"")));
        assertEquals(WriteResult.NOT_MET, put(Condition.version("s:\"old\"")));
        assertEquals(2, server.seen.size());
    }

    @Test
    void put_racing_isRetried() throws Throwable {
        server.then(409, "ConditionalRequestConflict").then(412, "PreconditionFailed");
        assertEquals(WriteResult.NOT_MET, put(Condition.ABSENT), "the server says that it did not act");
        assertEquals(2, server.seen.size());
    }

    private static String writeId(ScriptedServer.Seen request) {
        return request.header(S3Origin.WRITE_ID).orElseThrow();
    }

    @Test
    void put_whoseAnswerWasLost_isRecognizedByItsId() throws Throwable {
        server.then(0, "")
                .then(412, "PreconditionFailed")
                .then(requests -> new ScriptedServer.Answer(
                        200, Map.of("ETag", "\"abc\"", S3Origin.WRITE_ID, writeId(requests.get(0))), ""));
        assertEquals(new WriteResult.Done(Optional.of("s:\"abc\"")), put(Condition.ABSENT));
        String id = writeId(request(0));
        assertEquals(id, writeId(request(1)), "the same for each attempt");
        assertEquals("HEAD", request(2).method());
    }

    @Test
    void put_whoseAnswerWasLost_besideAnotherWriter_isUnknown() throws Throwable {
        server.then(0, "").then(412, "PreconditionFailed").then(200, Map.of(S3Origin.WRITE_ID, "another"), "");
        assertInstanceOf(WriteResult.Unknown.class, put(Condition.ABSENT));
    }

    @Test
    void put_thatOnlyFails_isUnknownOnlyIfTheServerMayHaveActed() throws Throwable {
        for (int i = 0; i < 4; i++) {
            server.then(500, "InternalError");
        }
        assertInstanceOf(WriteResult.Unknown.class, put(Condition.ANY));
        for (int i = 0; i < 4; i++) {
            server.then(503, "SlowDown");
        }
        StoreException e = assertThrows(StoreException.class, () -> put(Condition.ANY));
        assertTrue(e.getMessage().contains("SlowDown"), e.getMessage());
    }

    @Test
    void list_readsPages_encodedOrNot() throws Throwable {
        server.then(
                        200,
                        Map.of(),
                        "<ListBucketResult xmlns=\"x\"><EncodingType>url</EncodingType><IsTruncated>true</IsTruncated>"
                                + "<Contents><Key>root/a/b%2B+c</Key><Size>5</Size><ETag>&quot;t&quot;</ETag></Contents>"
                                + "<NextContinuationToken>t/1=</NextContinuationToken></ListBucketResult>")
                .then(
                        200,
                        Map.of(),
                        "<ListBucketResult><IsTruncated>false</IsTruncated><CommonPrefixes><Prefix>root/a/p%41/</Prefix>"
                                + "</CommonPrefixes></ListBucketResult>");
        Listings.Names names = store.store().list("a", Listings.Depth.ONE);
        var first = names.next().toCompletableFuture().get();
        assertEquals("b+ c", first.get(0).name());
        assertEquals(Optional.of("s:\"t\""), first.get(0).version());
        assertEquals("p%41", names.next().toCompletableFuture().get().get(0).name());
        assertTrue(names.next().toCompletableFuture().get().isEmpty());
        assertEquals(
                "continuation-token=t%2F1%3D&delimiter=%2F&encoding-type=url&list-type=2&prefix=root%2Fa%2F",
                request(1).uri().getRawQuery());
    }

    @Test
    void deleteAll_namesTheFirstObjectThatCouldNotBeDeleted() {
        server.then(200, Map.of(), "<ListBucketResult><Contents><Key>root/a/&amp;1</Key></Contents></ListBucketResult>")
                .then(
                        200,
                        Map.of(),
                        "<DeleteResult><Error><Key>root/a/&amp;1</Key><Code>AccessDenied</Code></Error></DeleteResult>");
        StoreException e =
                assertThrows(StoreException.class, () -> store.store().deleteAll("a"));
        assertTrue(e.getMessage().contains("root/a/&1: AccessDenied"), e.getMessage());
        assertTrue(
                request(1).body().contains("<Key>root/a/&amp;1</Key>"),
                request(1).body());
        assertTrue(request(1).header("content-md5").isPresent());
    }
}
