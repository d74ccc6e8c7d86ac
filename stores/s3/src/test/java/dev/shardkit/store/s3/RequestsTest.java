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
import dev.shardkit.store.Listings;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.cloud.PutBody;
import dev.shardkit.store.cloud.WriteIds;
import dev.shardkit.store.cloudtest.ScriptedServer;
import dev.shardkit.store.http.RetryPolicy;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.server.VersityServer;
import dev.shardkit.transport.Headers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings and answers that concern every kind of request. */
@Timeout(60)
class RequestsTest {
    private static final int PART = 5 << 20;
    private static final Map<String, String> TAG = Map.of("ETag", "\"abc\"");

    private final FakeS3 server = new FakeS3();

    @AfterEach
    void close() {
        server.close();
    }

    private static WriteResult put(S3Store store) throws Throwable {
        try {
            return store.store()
                    .put("a", Content.of(Bytes.of(new byte[] {1, 2, 3})), Condition.ANY, Durability.ATOMIC)
                    .toCompletableFuture()
                    .get();
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }

    private static FetchResult fetch(S3Store store) throws Throwable {
        try {
            return store.store()
                    .fetch("a", ByteRange.whole(), Optional.empty(), StoreListener.NONE)
                    .get();
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }

    private static MultipartUpload uploads(S3Store store) {
        return (MultipartUpload) store.store().bulk();
    }

    private static String signature(ScriptedServer.Seen request) {
        return request.header("authorization").orElseThrow();
    }

    @Test
    void requesterPays_goesWithEveryVerb_signed() throws Throwable {
        try (S3Store store = server.builder().requesterPays().partSize(PART).build()) {
            server.then(200, TAG, "xyz");
            fetch(store);
            server.then(200, TAG, "");
            uploads(store).changes().stat("a").get();
            server.then(200, TAG, "");
            put(store);
            server.then(204, Map.of(), "");
            store.store().delete("a", Condition.ANY).toCompletableFuture().get();
            server.then(200, Map.of(), "<ListBucketResult></ListBucketResult>");
            store.store()
                    .list("a", Listings.Depth.ONE)
                    .next()
                    .toCompletableFuture()
                    .get();
            server.then(200, Map.of(), "<ListBucketResult><Contents><Key>root/a/1</Key></Contents></ListBucketResult>")
                    .then(200, Map.of(), "<DeleteResult/>");
            store.store().deleteAll("a");
            server.then(200, Map.of(), "<CopyObjectResult><ETag>x</ETag></CopyObjectResult>");
            store.copy("a", "b", Durability.ATOMIC);
            assertEquals(8, server.seen.size());
            uploadsInParts(store);
            server.then(200, Map.of(), "<ListMultipartUploadsResult/>");
            store.leftovers("a", leftover -> {});
        }
        Set<String> methods =
                server.seen.stream().map(ScriptedServer.Seen::method).collect(Collectors.toSet());
        assertEquals(Set.of("GET", "HEAD", "PUT", "DELETE", "POST"), methods);
        for (ScriptedServer.Seen seen : server.seen) {
            assertEquals(Optional.of("requester"), seen.header("x-amz-request-payer"), seen::toString);
            assertTrue(signature(seen).contains("x-amz-request-payer"), seen::toString);
        }
    }

    /** Sends a part, has the server copy one, and then aborts the upload, because its completion is refused. */
    private void uploadsInParts(S3Store store) throws Exception {
        server.then(200, Map.of(), "<R><UploadId>up</UploadId></R>")
                .then(200, TAG, "<R><ETag>&quot;p&quot;</ETag></R>")
                .then(200, TAG, "<R><ETag>&quot;p&quot;</ETag></R>")
                .then(412, "PreconditionFailed")
                .then(204, Map.of(), "");
        PutBody body = new PutBody(
                List.of(new Part.Stored("old", "s:\"v\"", 0, PART), new Part.Literal(Bytes.zeros(1))), PART + 1);
        assertEquals(
                WriteResult.NOT_MET,
                uploads(store)
                        .putMoved("a", body, Condition.version("s:\"v\""), WriteIds.alone())
                        .get());
        while (server.seen.size() < 13) {
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @CsvSource({"301, PermanentRedirect", "307, TemporaryRedirect"})
    void redirect_namesTheRegion_ofReadsAndWrites(int status, String code) throws Throwable {
        Map<String, String> named = Map.of("x-amz-bucket-region", "ap-south-1", "Location", "http://127.0.0.1:1/else");
        for (boolean reads : new boolean[] {true, false}) {
            try (S3Store store = server.builder().build()) {
                int before = server.seen.size();
                String body = "<Error><Code>" + code + "</Code><Endpoint>other.host</Endpoint></Error>";
                server.then(status, named, body).then(200, TAG, reads ? "xyz" : "");
                if (reads) {
                    assertInstanceOf(FetchResult.Found.class, fetch(store));
                } else {
                    assertInstanceOf(WriteResult.Done.class, put(store));
                }
                assertEquals(before + 2, server.seen.size());
                assertTrue(signature(server.seen.get(before)).contains("/eu-central-1/s3/"));
                assertTrue(signature(server.seen.get(before + 1)).contains("/ap-south-1/s3/"));
            }
        }
    }

    @Test
    void redirect_withoutARegion_isAnError() {
        try (S3Store store = server.builder().build()) {
            server.then(301, Map.of("Location", "http://127.0.0.1:1/else"), "<Error><Code>Moved</Code></Error>");
            StoreException e = assertThrows(StoreException.class, () -> fetch(store));
            assertTrue(e.getMessage().contains("HTTP 301 Moved"), e.getMessage());
        }
        assertEquals(1, server.seen.size());
    }

    @Test
    void retryAfter_ofABusyServer_replacesTheOwnPause() throws Throwable {
        String slow = "<Error><Code>SlowDown</Code></Error>";
        RetryPolicy patient = new RetryPolicy(3, Duration.ofSeconds(50), Duration.ofSeconds(50));
        try (S3Store store = server.builder()
                .retries(patient)
                .deadline(Duration.ofSeconds(60))
                .build()) {
            server.then(503, Map.of("Retry-After", "0"), slow).then(200, TAG, "xyz");
            assertInstanceOf(FetchResult.Found.class, fetch(store), "without our own pause of 25 s or more");
            server.then(503, Map.of("Retry-After", "0"), slow).then(200, TAG, "");
            assertInstanceOf(WriteResult.Done.class, put(store));
            assertEquals(4, server.seen.size());
            server.then(503, Map.of("Retry-After", "3600"), slow);
            StoreException read = assertThrows(StoreException.class, () -> fetch(store));
            assertTrue(read.getMessage().contains("PT1H would exceed the deadline"), read.getMessage());
            server.then(503, Map.of("Retry-After", "3600"), slow);
            StoreException written = assertThrows(StoreException.class, () -> put(store));
            assertTrue(written.getMessage().contains("PT1H would exceed the deadline"), written.getMessage());
        }
        assertEquals(6, server.seen.size(), "a pause beyond the deadline is not begun");
    }

    /** Sends everything to one address, as if a name service knew the names of all buckets. */
    private static ProxySelector to(URI server) {
        return new ProxySelector() {
            @Override
            public List<Proxy> select(URI uri) {
                return List.of(new Proxy(Proxy.Type.HTTP, new InetSocketAddress(server.getHost(), server.getPort())));
            }

            @Override
            public void connectFailed(URI uri, SocketAddress address, IOException failure) {}
        };
    }

    @Test
    void virtualHostedStyle_onARealServer() throws Throwable {
        URI real = VersityServer.server();
        URI location = Versity.fresh();
        byte[] large = new byte[2 * PART + 1];
        large[7] = 1;
        try (S3Store inHost = Versity.builder(location)
                        .endpoint(URI.create("http://" + VersityServer.DOMAIN + ":" + real.getPort()))
                        .virtualHostedStyle()
                        .proxy(to(real))
                        .partSize(PART)
                        .build();
                S3Store inPath = Versity.builder(location).build()) {
            assertEquals(VersityServer.BUCKET + "." + VersityServer.DOMAIN + ":" + real.getPort(), host(inHost));
            assertInstanceOf(WriteResult.Done.class, put(inHost));
            FetchResult.Found found = assertInstanceOf(FetchResult.Found.class, fetch(inPath));
            assertArrayEquals(new byte[] {1, 2, 3}, found.bytes().toArray());
            uploads(inHost)
                    .putLarge("a", Bytes.of(large), Condition.ANY, WriteIds.alone())
                    .get();
            found = assertInstanceOf(FetchResult.Found.class, fetch(inHost));
            assertArrayEquals(large, found.bytes().toArray());
            assertTrue(inHost.copy("a", "b", Durability.ATOMIC));
            var names = inHost.store().list("", Listings.Depth.ONE).next().toCompletableFuture();
            assertEquals(
                    List.of("a", "b"), names.get().stream().map(n -> n.name()).toList());
            inHost.store().deleteAll("");
            assertInstanceOf(FetchResult.Absent.class, fetch(inPath));
        }
    }

    private static String host(S3Store store) {
        return uploads(store).origin().bucket().host();
    }

    @Test
    void classAndMetadata_onARealServer_stayWithCopies() throws Throwable {
        S3StoreBuilder builder = Versity.builder(Versity.fresh()).partSize(PART);
        try (S3Store store = builder.storageClass("STANDARD")
                .userMetadata("origin", "scope 7")
                .build()) {
            put(store);
            uploads(store)
                    .putLarge("b", Bytes.zeros(2 * PART + 1), Condition.ANY, WriteIds.alone())
                    .get();
            assertTrue(store.copy("a", "c", Durability.ATOMIC));
            for (String key : List.of("a", "b", "c")) {
                Headers found =
                        uploads(store).changes().stat(key).get().orElseThrow().headers();
                assertEquals(Optional.of("scope 7"), found.firstValue("x-amz-meta-origin"), key);
                assertEquals(Optional.of("STANDARD"), found.firstValue("x-amz-storage-class"), key);
            }
        }
    }
}
