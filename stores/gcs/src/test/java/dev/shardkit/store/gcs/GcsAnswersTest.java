package dev.shardkit.store.gcs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Copies;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.Listings;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.Writes;
import dev.shardkit.store.cloudtest.ScriptedServer;
import dev.shardkit.store.http.RetryPolicy;
import dev.shardkit.store.policy.Durability;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the store makes of a server's answers, and which requests it sends. */
@Timeout(60)
class GcsAnswersTest {
    private static final String TOKEN = "ya29.SECRET";
    private static final Map<String, String> FIRST = Map.of("X-Goog-Generation", "17");
    private static final Content CONTENT = Content.of(Bytes.of("abc".getBytes()));
    private static final Pattern WRITE_ID = Pattern.compile("\"shardkit-write\":\\s*\"([^\"]+)\"");

    private final ScriptedServer server = new ScriptedServer();
    private final GcsStore store = GcsStore.builder(URI.create("gs://bucket/root"))
            .endpoint(server.uri())
            .token(() -> TOKEN)
            .userProject("payer")
            .partSize(256 << 10)
            .retries(new RetryPolicy(4, Duration.ofMillis(1), Duration.ofMillis(2)))
            .build();

    @AfterEach
    void close() {
        store.close();
        server.close();
    }

    private FetchResult fetch(ByteRange range, Optional<String> pin) throws Throwable {
        try {
            return store.store()
                    .fetch("a/zarr.json", range, pin, StoreListener.NONE)
                    .get();
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }

    private WriteResult put(Content content, Condition condition) throws Throwable {
        try {
            return store.find(Writes.class)
                    .orElseThrow()
                    .put("a/c/0", content, condition, Durability.ATOMIC)
                    .toCompletableFuture()
                    .get();
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }

    private ScriptedServer.Seen request(int index) {
        return server.seen.get(index);
    }

    private static String error(int code, String reason, String message) {
        return "{\"error\":{\"code\":" + code + ",\"message\":\"" + message + "\",\"errors\":[{\"reason\":\"" + reason
                + "\"}]}}";
    }

    @Test
    void read_isOneRangeRequest_pinnedToAGeneration() throws Throwable {
        Map<String, String> head = Map.of("X-Goog-Generation", "17", "Content-Range", "bytes 6-7/8", "ETag", "\"x\"");
        server.then(206, head, "xy").then(206, head, "xy");
        var found = assertInstanceOf(FetchResult.Found.class, fetch(new ByteRange.Suffix(2), Optional.empty()));
        fetch(new ByteRange.Slice(6, 2), found.version());
        assertEquals(Optional.of("s:\"17\""), found.version());
        assertEquals(
                "/storage/v1/b/bucket/o/root%2Fa%2Fzarr.json?alt=media&userProject=payer",
                request(0).uri().toString());
        assertEquals(Optional.of("bytes=-2"), request(0).header("range"));
        assertEquals(Optional.of("Bearer " + TOKEN), request(0).header("authorization"));
        assertTrue(request(1).uri().getQuery().contains("ifGenerationMatch=17"));
    }

    @Test
    void pinnedRead_ofAChangedObject_isObjectChanged() {
        server.then(412, error(412, "conditionNotMet", "no"));
        assertThrows(ObjectChangedException.class, () -> fetch(ByteRange.whole(), Optional.of("s:\"16\"")));
    }

    @Test
    void absence_isOnlyThatOfTheObject() throws Throwable {
        server.then(404, "No such object: bucket/root/a/zarr.json");
        assertInstanceOf(FetchResult.Absent.class, fetch(ByteRange.whole(), Optional.empty()));
        server.then(404, error(404, "notFound", "The specified bucket does not exist."));
        var e = assertThrows(StoreException.class, () -> fetch(ByteRange.whole(), Optional.empty()));
        assertTrue(e.getMessage().contains("The specified bucket does not exist."), e.getMessage());
    }

    @Test
    void denied_namesBucketKeyAndRequest_andNoSecret() {
        server.then(401, Map.of("X-GUploader-UploadID", "RID7"), error(401, "authError", "bad " + TOKEN));
        var e = assertThrows(StoreException.class, () -> fetch(ByteRange.whole(), Optional.empty()));
        for (String part : new String[] {"gs://bucket/root", "a/zarr.json", "RID7", "HTTP 401", "authError"}) {
            assertTrue(e.getMessage().contains(part), e.getMessage());
        }
        assertFalse(e.toString().contains("SECRET"), e.getMessage());
    }

    @Test
    void wholeObject_isComparedWithItsChecksum_andReadAgain() throws Throwable {
        Map<String, String> head = Map.of("X-Goog-Generation", "17", "X-Goog-Hash", "crc32c=Nks/tw==,md5=x");
        server.then(200, head, "abd").then(200, head, "abc");
        var found = assertInstanceOf(FetchResult.Found.class, fetch(ByteRange.whole(), Optional.empty()));
        assertEquals("abc", new String(found.bytes().toArray()));
        for (int i = 0; i < 4; i++) {
            server.then(200, head, "abd");
        }
        var e = assertThrows(StoreException.class, () -> fetch(ByteRange.whole(), Optional.empty()));
        assertTrue(e.getMessage().contains("expected CRC32C Nks/tw==, found"), e.getMessage());
    }

    @Test
    void put_sendsConditionAndWriteId() throws Throwable {
        server.then(200, "{\"generation\":\"18\"}").then(200, "{\"generation\":\"19\"}");
        assertEquals(new WriteResult.Done(Optional.of("s:\"18\"")), put(CONTENT, Condition.ABSENT));
        put(CONTENT, Condition.version("s:\"17\""));
        assertTrue(request(0).uri().getQuery().contains("ifGenerationMatch=0"));
        assertTrue(request(1).uri().getQuery().contains("ifGenerationMatch=17"));
        assertTrue(request(0).body().contains("\r\n\r\nabc\r\n--"), request(0).body());
        assertTrue(request(0).body().contains("\"name\":"), request(0).body());
        assertTrue(WRITE_ID.matcher(request(0).body()).find());
    }

    /** Returns an object that the first request has written. */
    private static ScriptedServer.Answer ownObject(List<ScriptedServer.Seen> requests) {
        Matcher id = WRITE_ID.matcher(requests.get(0).body());
        assertTrue(id.find());
        String object = "{\"generation\":\"18\",\"metadata\":{\"shardkit-write\":\"" + id.group(1) + "\"}}";
        return new ScriptedServer.Answer(200, Map.of(), object);
    }

    @Test
    void put_whoseAnswerWasLost_isRecognizedByItsId() throws Throwable {
        server.then(0, "").then(412, error(412, "conditionNotMet", "no")).then(GcsAnswersTest::ownObject);
        assertEquals(new WriteResult.Done(Optional.of("s:\"18\"")), put(CONTENT, Condition.ABSENT));
    }

    @Test
    void put_whoseAnswerWasLost_besideAnotherWriter_isUnknown() throws Throwable {
        server.then(0, "").then(412, "").then(200, "{\"generation\":\"18\",\"metadata\":{\"shardkit-write\":\"x\"}}");
        assertInstanceOf(WriteResult.Unknown.class, put(CONTENT, Condition.ABSENT));
    }

    @Test
    void put_thatOnlyFails_isUnknownOnlyIfTheServerMayHaveActed() throws Throwable {
        for (int i = 0; i < 4; i++) {
            server.then(503, "");
        }
        assertInstanceOf(WriteResult.Unknown.class, put(CONTENT, Condition.ANY));
        for (int i = 0; i < 4; i++) {
            server.then(429, error(429, "rateLimitExceeded", "too often"));
        }
        var e = assertThrows(StoreException.class, () -> put(CONTENT, Condition.ANY));
        assertTrue(e.getMessage().contains("rateLimitExceeded"), e.getMessage());
    }

    @Test
    void delete_isConditional_andAnotherVersionIsNotMet() throws Throwable {
        server.then(412, error(412, "conditionNotMet", "no")).then(200, "{\"generation\":\"18\"}");
        WriteResult outcome = store.find(Writes.class)
                .orElseThrow()
                .delete("a", Condition.version("s:\"17\""))
                .toCompletableFuture()
                .get();
        assertEquals(WriteResult.NOT_MET, outcome);
        assertTrue(request(0).uri().getQuery().contains("ifGenerationMatch=17"));
    }

    @Test
    void list_readsPages() throws Throwable {
        server.then(
                        200,
                        "{\"items\":[{\"name\":\"root/a/b+ c\",\"size\":\"5\",\"generation\":\"3\"}],"
                                + "\"nextPageToken\":\"t/1=\"}")
                .then(200, "{\"prefixes\":[\"root/a/p%41/\"]}");
        Listings.Names names = store.find(Listings.class).orElseThrow().list("a", Listings.Depth.ONE);
        var first = names.next().toCompletableFuture().get();
        assertEquals("b+ c", first.get(0).name());
        assertEquals(5, first.get(0).size().orElseThrow());
        assertEquals(Optional.of("s:\"3\""), first.get(0).version());
        assertEquals("p%41", names.next().toCompletableFuture().get().get(0).name());
        assertTrue(names.next().toCompletableFuture().get().isEmpty());
        assertTrue(request(1).uri().getRawQuery().contains("pageToken=t%2F1%3D"));
    }

    @Test
    void deleteAll_namesTheObjectThatCouldNotBeDeleted() {
        server.then(200, "{\"items\":[{\"name\":\"root/a/1\"}]}").then(403, error(403, "forbidden", "no"));
        TreeDeletions prunes = store.find(TreeDeletions.class).orElseThrow();
        var e = assertThrows(StoreException.class, () -> prunes.deleteAll("a"));
        assertTrue(e.getMessage().contains("root/a/1"), e.getMessage());
    }

    @Test
    void copy_continuesUntilItIsDone() throws Throwable {
        server.then(200, "{\"done\":false,\"rewriteToken\":\"more\"}").then(200, "{\"done\":true}");
        assertTrue(store.find(Copies.class).orElseThrow().copy("a", "b", Durability.ATOMIC));
        assertEquals(
                "/storage/v1/b/bucket/o/root%2Fa/rewriteTo/b/bucket/o/root%2Fb?rewriteToken=more&userProject=payer",
                request(1).uri().toString());
    }

    private static Content large(int size) {
        return Content.of(Bytes.zeros(size));
    }

    private void begun() {
        server.then(200, Map.of("Location", "http://elsewhere/upload?upload_id=s-1&x=y"), "{}");
    }

    @Test
    void resumableUpload_continuesAfterWhatHasArrived() throws Throwable {
        begun();
        server.then(308, Map.of("Range", "bytes=0-99999"), "")
                .then(0, "")
                .then(308, Map.of("Range", "bytes=0-299999"), "")
                .then(308, Map.of("Range", "bytes=0-562143"), "")
                .then(200, "{\"generation\":\"21\"}");
        assertEquals(new WriteResult.Done(Optional.of("s:\"21\"")), put(large(600_000), Condition.ABSENT));
        assertTrue(request(0).uri().getQuery().contains("ifGenerationMatch=0"));
        assertEquals(Optional.of("bytes 0-262143/600000"), request(1).header("content-range"));
        assertEquals(Optional.of("bytes 100000-362143/600000"), request(2).header("content-range"));
        assertEquals(Optional.of("bytes */600000"), request(3).header("content-range"));
        assertEquals(Optional.of("bytes 300000-562143/600000"), request(4).header("content-range"));
        assertEquals("/upload/storage/v1/b/bucket/o", request(4).uri().getPath());
        assertTrue(request(4).uri().getQuery().contains("upload_id=s-1"));
    }

    @Test
    void resumableUpload_thatLosesTheRace_isNotMet() throws Throwable {
        server.then(412, "");
        assertEquals(WriteResult.NOT_MET, put(large(600_000), Condition.ABSENT));
        begun();
        server.then(308, Map.of("Range", "bytes=0-599998"), "");
        assertThrows(StoreException.class, () -> put(large(600_000), Condition.ABSENT), "more than was sent");
        server.await(4); // the session is ended
        begun();
        server.then(412, "");
        assertEquals(WriteResult.NOT_MET, put(large(600_000), Condition.ABSENT));
    }

    /** A range without bytes cannot be written in {@code Content-Range}, so the store asks for the state instead. */
    @Test
    void resumableUpload_whoseBytesHaveArrivedButIsNotComplete_isAskedAgain() throws Throwable {
        begun();
        server.then(308, Map.of("Range", "bytes=0-262143"), "")
                .then(308, Map.of("Range", "bytes=0-524287"), "")
                .then(308, Map.of("Range", "bytes=0-599999"), "")
                .then(200, "{\"generation\":\"21\"}");
        assertEquals(new WriteResult.Done(Optional.of("s:\"21\"")), put(large(600_000), Condition.ABSENT));
        assertEquals(Optional.of("bytes 524288-599999/600000"), request(3).header("content-range"));
        assertEquals(Optional.of("bytes */600000"), request(4).header("content-range"));
    }

    @Test
    void resumableUpload_withoutProgress_ends() {
        begun();
        for (int i = 0; i < 20; i++) {
            server.then(308, "");
        }
        var e = assertThrows(StoreException.class, () -> put(large(600_000), Condition.ANY));
        assertTrue(e.getMessage().contains("0 bytes have arrived"), e.getMessage());
    }

    @Test
    void resumableUpload_whoseLastAnswerWasLost_isRecognizedByItsId() throws Throwable {
        begun();
        server.then(308, Map.of("Range", "bytes=0-262143"), "")
                .then(308, Map.of("Range", "bytes=0-524287"), "")
                .then(0, "")
                .then(404, "")
                .then(GcsAnswersTest::ownObject);
        assertEquals(new WriteResult.Done(Optional.of("s:\"18\"")), put(large(600_000), Condition.ABSENT));
    }
}
