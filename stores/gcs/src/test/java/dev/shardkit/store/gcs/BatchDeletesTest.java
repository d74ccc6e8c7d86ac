package dev.shardkit.store.gcs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Listings;
import dev.shardkit.store.RequestMetrics;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.Writes;
import dev.shardkit.store.cloudtest.ScriptedServer;
import dev.shardkit.store.http.RetryPolicy;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.store.remote.exchange.ResponseOutcome.Response;
import dev.shardkit.transport.Headers;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deletions of many objects by batches: against fake-gcs-server, and against answers that it does not give. */
@Timeout(60)
class BatchDeletesTest {
    private static final Map<String, String> TYPE = Map.of("Content-Type", "multipart/mixed; boundary=\"b_1\"");
    private static final String GONE = "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n";

    private final ScriptedServer server = new ScriptedServer();
    private final GcsStore store = GcsStore.builder(URI.create("gs://bucket/root"))
            .endpoint(server.uri())
            .anonymous()
            .userProject("payer")
            .retries(new RetryPolicy(3, Duration.ofMillis(1), Duration.ofMillis(2)))
            .build();

    @AfterEach
    void close() {
        store.close();
        server.close();
    }

    private void deleteAll() throws IOException {
        store.find(TreeDeletions.class).orElseThrow().deleteAll("a");
    }

    private ScriptedServer listed(int count) {
        List<String> items = IntStream.range(0, count)
                .mapToObj(i -> "{\"name\":\"root/a/" + i + "\"}")
                .toList();
        return server.then(200, "{\"items\":[" + String.join(",", items) + "]}");
    }

    private static String part(int index, String response) {
        return "\r\n--b_1\r\nContent-Type: application/http\r\nContent-ID: <response-shardkit-" + index + ">\r\n\r\n"
                + response;
    }

    private static String answer(String... parts) {
        return String.join("", parts) + "\r\n--b_1--\r\n";
    }

    private static String refused(int status, String reason) {
        return "HTTP/1.1 " + status + " No\r\nContent-Type: application/json\r\n\r\n{\"error\":{\"code\":" + status
                + ",\"message\":\"m\",\"errors\":[{\"reason\":\"" + reason + "\"}]}}\r\n";
    }

    @Test
    void batch_namesEachObject_andAbsentOnesAreGone() throws IOException {
        listed(2).then(200, TYPE, answer(part(1, refused(404, "notFound")), part(0, GONE)));
        deleteAll();
        ScriptedServer.Seen batch = server.seen.get(1);
        assertEquals("/batch/storage/v1", batch.uri().toString());
        assertTrue(batch.header("content-type").orElseThrow().startsWith("multipart/mixed; boundary=shardkit-"));
        String call = "Content-ID: <shardkit-1>\r\n\r\n"
                + "DELETE /storage/v1/b/bucket/o/root%2Fa%2F1?userProject=payer HTTP/1.1\r\n";
        assertTrue(batch.body().contains(call), batch.body());
        assertEquals(2, server.seen.size());
    }

    @Test
    void failedPart_isAnErrorThatNamesTheObject() {
        listed(3).then(200, TYPE, answer(part(0, GONE), part(1, refused(403, "forbidden")), part(2, GONE)));
        var e = assertThrows(StoreException.class, this::deleteAll);
        for (String text : new String[] {"root/a/1", "HTTP 403 forbidden", "gs://bucket/root"}) {
            assertTrue(e.getMessage().contains(text), e.getMessage());
        }
    }

    @Test
    void partsOfABusyServer_andPartsWithoutAnAnswer_areDeletedSingly() throws IOException {
        listed(3)
                .then(200, TYPE, answer(part(0, refused(503, "backendError")), part(1, GONE)))
                .then(204, "")
                .then(204, "");
        deleteAll();
        assertEquals(4, server.seen.size());
        List<String> paths = IntStream.of(2, 3)
                .mapToObj(i -> server.seen.get(i).uri().getRawPath())
                .sorted()
                .toList();
        assertEquals(List.of("/storage/v1/b/bucket/o/root%2Fa%2F0", "/storage/v1/b/bucket/o/root%2Fa%2F2"), paths);
    }

    @ParameterizedTest
    @ValueSource(ints = {404, 405, 501})
    void serverWithoutBatches_isAskedOnce(int status) throws IOException {
        listed(2).then(status, "Not Found").then(204, "").then(204, "");
        deleteAll();
        listed(2).then(204, "").then(204, "");
        deleteAll();
        assertEquals(7, server.seen.size());
        assertEquals(
                1,
                server.seen.stream()
                        .filter(seen -> seen.uri().getPath().startsWith("/batch"))
                        .count());
    }

    @Test
    void refusedBatch_isAnError() {
        listed(2).then(403, "no");
        var e = assertThrows(StoreException.class, this::deleteAll);
        assertTrue(e.getMessage().contains("deletion of 2 objects in gs://bucket/root at http"), e.getMessage());
        assertTrue(e.getMessage().contains(", the first of them root/a/0: HTTP 403"), e.getMessage());
    }

    @Test
    void damagedAnswers_areAskedForAgain() throws IOException {
        listed(2)
                .then(200, "no parts")
                .then(200, TYPE, answer(part(0, GONE), part(0, GONE)))
                .then(200, TYPE, answer(part(0, GONE), part(1, GONE)));
        deleteAll();
        assertEquals(4, server.seen.size());
    }

    private static boolean isRead(String type, String body) {
        Headers headers = new Headers(Map.of("Content-Type", List.of(type)));
        return BatchResponse.parse(new Response(200, headers, Bytes.of(body.getBytes())), 2)
                .isPresent();
    }

    @Test
    void answers_areReadOrRefused() {
        String type = "multipart/mixed; boundary=b_1";
        assertTrue(isRead(type, answer(part(0, "HTTP/1.1 204 No Content"))));
        assertTrue(isRead("Multipart/Mixed; charset=x; boundary=\"b_1\"; y=z", "preamble" + answer(part(1, GONE))));
        assertFalse(isRead("multipart/mixed", answer(part(0, GONE))));
        assertFalse(isRead(type, ""));
        assertFalse(isRead(type, part(0, GONE)), "cut off");
        assertFalse(isRead(type, answer(part(2, GONE))), "a call that was not made");
        assertFalse(isRead(type, answer(part(0, "204"))));
        assertFalse(isRead(type, answer("\r\n--b_1\r\nContent-ID: <x-0>\r\n\r\n" + GONE)));
    }

    @Test
    void randomAnswers_areReadOrRefused() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        String whole = answer(part(0, GONE), part(1, refused(404, "notFound")));
        for (int i = 0; i < 2000; i++) {
            StringBuilder body = new StringBuilder(whole);
            for (int k = random.nextInt(8); k >= 0; k--) {
                int from = random.nextInt(body.length());
                body.replace(
                        from,
                        Math.min(body.length(), from + random.nextInt(4)),
                        "\r\n-: <".substring(random.nextInt(6)));
            }
            String text = body.toString();
            try {
                isRead("multipart/mixed; boundary=b_1", text);
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + text, e);
            }
        }
    }

    /** The real server: 250 objects with odd names take three batches, and their neighbours stay. */
    @Test
    @Tag("one-jdk")
    void realServer_deletesByBatches() throws IOException {
        Queue<RequestMetrics> requests = new ConcurrentLinkedQueue<>();
        try (GcsStore real =
                FakeGcs.builder(FakeGcs.fresh()).metrics(requests::add).build()) {
            Writes writes = real.find(Writes.class).orElseThrow();
            List<CompletableFuture<?>> puts = new ArrayList<>();
            for (int i = 0; i < 250; i++) {
                puts.add(put(writes, "tree/c/" + i + (i % 2 == 0 ? "" : "+ %é?#&")));
            }
            puts.add(put(writes, "tree2/zarr.json"));
            puts.forEach(CompletableFuture::join);
            requests.clear();
            real.find(TreeDeletions.class).orElseThrow().deleteAll("tree");
            assertEquals(
                    3,
                    requests.stream()
                            .filter(r -> r.operation().startsWith("deletion of "))
                            .count());
            assertTrue(requests.stream().noneMatch(r -> r.operation().startsWith("DELETE")), requests::toString);
            Listings lists = real.find(Listings.class).orElseThrow();
            assertTrue(lists.list("tree", Listings.Depth.ALL)
                    .next()
                    .toCompletableFuture()
                    .join()
                    .isEmpty());
            assertEquals(
                    1,
                    lists.list("tree2", Listings.Depth.ALL)
                            .next()
                            .toCompletableFuture()
                            .join()
                            .size());
        }
    }

    private static CompletableFuture<?> put(Writes writes, String key) {
        return writes.put(key, Content.of(Bytes.of("x".getBytes())), Condition.ANY, Durability.ATOMIC)
                .toCompletableFuture();
    }
}
