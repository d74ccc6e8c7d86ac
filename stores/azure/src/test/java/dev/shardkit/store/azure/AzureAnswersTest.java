package dev.shardkit.store.azure;

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
import dev.shardkit.store.StoreListener;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the store makes of a server's answers, and which requests it sends. */
@Timeout(60)
class AzureAnswersTest {
    private static final String SAS = "sv=2024-08-04&sig=SECRET%2Fx";
    private static final Map<String, String> TAG = Map.of("ETag", "\"0x8D\"");
    private static final Content CONTENT = Content.of(Bytes.of("abc".getBytes()));

    private final ScriptedServer server = new ScriptedServer();
    private final AzureStore store = builder().sasToken("?" + SAS).build();

    private AzureStoreBuilder builder() {
        return AzureStore.builder(URI.create("az://box/root"))
                .endpoint(server.uri())
                .partSize(64 << 10)
                .retries(new RetryPolicy(4, Duration.ofMillis(1), Duration.ofMillis(2)));
    }

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

    private void refuses(int status, String code) {
        server.then(
                status,
                Map.of("x-ms-error-code", code, "x-ms-request-id", "RID7"),
                "\uFEFF<?xml version=\"1.0\" encoding=\"utf-8\"?><Error><Code>" + code + "</Code><Message>about " + code
                        + " sig=SECRET/x\nRequestId:RID7</Message></Error>");
    }

    @Test
    void read_ofTheEnd_asksForTheSizeFirst() throws Throwable {
        server.then(206, Map.of("ETag", "\"0x8D\"", "Content-Range", "bytes 0-0/8"), "x")
                .then(206, Map.of("ETag", "\"0x8D\"", "Content-Range", "bytes 6-7/8"), "xy");
        var found = assertInstanceOf(FetchResult.Found.class, fetch(new ByteRange.Suffix(2)));
        assertEquals(8, found.objectSize());
        assertEquals("/box/root/a/zarr.json?" + SAS, request(0).uri().toString());
        assertEquals(Optional.of("bytes=6-7"), request(1).header("range"));
        assertEquals(Optional.of("\"0x8D\""), request(1).header("if-match"));
    }

    @Test
    void absence_isOnlyThatOfTheBlob() throws Throwable {
        refuses(404, "BlobNotFound");
        assertInstanceOf(FetchResult.Absent.class, fetch(ByteRange.whole()));
        refuses(404, "ContainerNotFound");
        var e = assertThrows(StoreException.class, () -> fetch(ByteRange.whole()));
        assertTrue(e.getMessage().contains("ContainerNotFound"), e.getMessage());
    }

    @Test
    void folder_ofADataLake_isAbsent() throws Throwable {
        server.then(200, Map.of("ETag", "\"0x8D\"", "x-ms-meta-hdi_isfolder", "true"), "");
        assertInstanceOf(FetchResult.Absent.class, fetch(ByteRange.whole()));
    }

    @Test
    void denied_namesContainerKeyAndRequest_andNoSecret() {
        refuses(403, "AuthenticationFailed");
        var e = assertThrows(StoreException.class, () -> fetch(ByteRange.whole()));
        for (String part : new String[] {"az://box/root", "a/zarr.json", "RID7", "HTTP 403", "AuthenticationFailed"}) {
            assertTrue(e.getMessage().contains(part), e.getMessage());
        }
        assertFalse(e.toString().contains("SECRET"), e.getMessage());
    }

    @Test
    void token_isSent_andItsFailureShowsNoSecret() throws Throwable {
        try (AzureStore other = builder().token(() -> "eyTOKEN").build()) {
            refuses(404, "BlobNotFound");
            other.store()
                    .fetch("k", ByteRange.whole(), Optional.empty(), StoreListener.NONE)
                    .get();
            assertEquals(Optional.of("Bearer eyTOKEN"), request(0).header("authorization"));
        }
        Writes failing = builder()
                .token(() -> {
                    throw new IllegalStateException("SECRET");
                })
                .build()
                .find(Writes.class)
                .orElseThrow();
        var e = assertThrows(
                ExecutionException.class,
                () -> failing.delete("a", Condition.ANY).toCompletableFuture().get());
        assertFalse(e.toString().contains("SECRET"), e.toString());
    }

    @Test
    void put_sendsConditionAndWriteId() throws Throwable {
        server.then(201, TAG, "").then(201, TAG, "");
        assertEquals(new WriteResult.Done(Optional.of("s:\"0x8D\"")), put(CONTENT, Condition.ABSENT));
        put(CONTENT, Condition.version("s:\"old\""));
        assertEquals(Optional.of("*"), request(0).header("if-none-match"));
        assertEquals(Optional.of("\"old\""), request(1).header("if-match"));
        assertEquals(Optional.of("BlockBlob"), request(0).header("x-ms-blob-type"));
        assertTrue(request(0).header(AzureOrigin.WRITE_ID).isPresent());
        assertEquals("abc", request(0).body());
    }

    @Test
    void put_overAnotherBlob_isNotMet() throws Throwable {
        refuses(409, "BlobAlreadyExists");
        assertEquals(WriteResult.NOT_MET, put(CONTENT, Condition.ABSENT));
        refuses(412, "LeaseIdMissing");
        var e = assertThrows(StoreException.class, () -> put(CONTENT, Condition.version("s:\"old\"")));
        assertTrue(e.getMessage().contains("LeaseIdMissing"), e.getMessage());
    }

    /** Returns an answer for the blob that a request has written. */
    private static ScriptedServer.Answer ownBlob(ScriptedServer.Seen request) {
        String id = request.header(AzureOrigin.WRITE_ID).orElseThrow();
        return new ScriptedServer.Answer(200, Map.of("ETag", "\"0x8E\"", AzureOrigin.WRITE_ID, id), "");
    }

    @Test
    void put_whoseAnswerWasLost_isRecognizedByItsId() throws Throwable {
        server.then(0, "");
        refuses(412, "ConditionNotMet");
        server.then(requests -> ownBlob(requests.get(0)));
        assertEquals(new WriteResult.Done(Optional.of("s:\"0x8E\"")), put(CONTENT, Condition.version("s:\"old\"")));
    }

    @Test
    void put_whoseAnswerWasLost_besideAnotherWriter_isUnknown() throws Throwable {
        server.then(0, "");
        refuses(409, "BlobAlreadyExists");
        server.then(200, Map.of(AzureOrigin.WRITE_ID, "another"), "");
        assertInstanceOf(WriteResult.Unknown.class, put(CONTENT, Condition.ABSENT));
    }

    private static Content large() {
        return Content.of(Bytes.zeros(150_000));
    }

    @Test
    void block_thatFails_isSentAgainAlone() throws Throwable {
        server.then(201, "").then(503, "").then(201, "").then(201, "").then(201, TAG, "");
        assertEquals(new WriteResult.Done(Optional.of("s:\"0x8D\"")), put(large(), Condition.ABSENT));
        assertEquals(5, server.seen.size());
        assertTrue(request(4).uri().getQuery().startsWith("comp=blocklist"));
        assertEquals(Optional.of("*"), request(4).header("if-none-match"));
        assertEquals(3, request(4).body().split("<Latest>").length - 1);
    }

    @Test
    void blocks_thatAnotherWriterHasDiscarded_areSentAgain_orTheConditionIsNotMet() throws Throwable {
        server.then(201, "").then(201, "").then(201, "");
        refuses(400, "InvalidBlockList");
        assertEquals(WriteResult.NOT_MET, put(large(), Condition.ABSENT));
        server.then(201, "").then(201, "").then(201, "");
        refuses(400, "InvalidBlockList");
        server.then(201, "").then(201, "").then(201, "").then(201, TAG, "");
        assertInstanceOf(WriteResult.Done.class, put(large(), Condition.ANY));
        assertEquals(12, server.seen.size());
    }

    @Test
    void blockList_whoseAnswerWasLost_isRecognizedByItsId() throws Throwable {
        server.then(201, "").then(201, "").then(201, "").then(0, "");
        refuses(409, "BlobAlreadyExists");
        server.then(requests -> ownBlob(requests.get(3)));
        assertEquals(new WriteResult.Done(Optional.of("s:\"0x8E\"")), put(large(), Condition.ABSENT));
    }

    @Test
    void copiedBlock_carriesTheTokenForItsSource_andItsSizeIsChecked() throws Exception {
        var range = new Content.Part.Stored("a b/c", "s:\"old\"", 5, 150_000);
        server.then(201, "").then(201, "").then(201, "");
        server.then(requests -> new ScriptedServer.Answer(200, Map.of(), blocks(requests.subList(0, 3))));
        server.then(201, TAG, "");
        try (AzureStore other = builder().token(() -> "eyTOKEN").build()) {
            WriteResult outcome = other.find(Writes.class)
                    .orElseThrow()
                    .put("k", new MovedRangesTest.OfParts(List.of(range)), Condition.ABSENT, Durability.ATOMIC)
                    .toCompletableFuture()
                    .get();
            assertEquals(new WriteResult.Done(Optional.of("s:\"0x8D\"")), outcome);
        }
        assertEquals(Optional.of(server.uri() + "/box/root/a%20b/c"), request(0).header("x-ms-copy-source"));
        assertEquals(Optional.of("Bearer eyTOKEN"), request(0).header("x-ms-copy-source-authorization"));
        assertEquals(Optional.of("bytes=5-65540"), request(0).header("x-ms-source-range"));
        assertEquals(Optional.of("\"old\""), request(0).header("x-ms-source-if-match"));
        assertEquals(Optional.of("0"), request(0).header("content-length"));
        assertEquals(Optional.of("*"), request(4).header("if-none-match"));
    }

    /** Returns the list of the blocks that requests for copies have made. */
    private static String blocks(List<ScriptedServer.Seen> copies) {
        StringBuilder list = new StringBuilder("<BlockList><CommittedBlocks/><UncommittedBlocks>");
        for (ScriptedServer.Seen copy : copies) {
            String id = copy.uri().getQuery().replaceFirst(".*blockid=", "").replaceFirst("&.*", "");
            String[] ends = copy.header("x-ms-source-range").orElseThrow().split("[=-]");
            long size = Long.parseLong(ends[2]) - Long.parseLong(ends[1]) + 1;
            list.append("<Block><Name>" + id + "</Name><Size>" + size + "</Size></Block>");
        }
        return list.append("</UncommittedBlocks></BlockList>").toString();
    }

    @Test
    void list_readsPages_withoutFolders() throws Throwable {
        server.then(
                        200,
                        "\uFEFF<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults><Blobs><Blob>"
                                + "<Name>root/a/b+ c</Name><Properties><Etag>0x1</Etag><Content-Length>5</Content-Length>"
                                + "</Properties></Blob><Blob><Name>root/a/d</Name><Properties>"
                                + "<ResourceType>directory</ResourceType></Properties></Blob></Blobs>"
                                + "<NextMarker>t/1=</NextMarker></EnumerationResults>")
                .then(
                        200,
                        "<EnumerationResults><Blobs><BlobPrefix><Name>root/a/p%41/</Name></BlobPrefix></Blobs>"
                                + "<NextMarker/></EnumerationResults>");
        Listings.Names names = store.find(Listings.class).orElseThrow().list("a", Listings.Depth.ONE);
        var first = names.next().toCompletableFuture().get();
        assertEquals(1, first.size());
        assertEquals("b+ c", first.get(0).name());
        assertEquals(Optional.of("s:\"0x1\""), first.get(0).version());
        assertEquals("p%41", names.next().toCompletableFuture().get().get(0).name());
        assertTrue(names.next().toCompletableFuture().get().isEmpty());
        assertTrue(request(1).uri().getRawQuery().contains("marker=t%2F1%3D"));
    }

    @Test
    void copy_waitsUntilItIsDone() throws Throwable {
        server.then(202, Map.of("x-ms-copy-status", "pending"), "")
                .then(200, Map.of("x-ms-copy-status", "success"), "");
        assertTrue(store.find(Copies.class).orElseThrow().copy("a", "b", Durability.ATOMIC));
        assertEquals(
                Optional.of(server.uri() + "/box/root/a?" + SAS), request(0).header("x-ms-copy-source"));
        assertEquals("HEAD", request(1).method());
        server.then(202, Map.of("x-ms-copy-status", "failed"), "");
        assertThrows(
                StoreException.class,
                () -> store.find(Copies.class).orElseThrow().copy("a", "b", Durability.ATOMIC));
    }
}
