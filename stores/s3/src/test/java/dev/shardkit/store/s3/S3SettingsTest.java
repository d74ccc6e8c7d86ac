package dev.shardkit.store.s3;

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
import dev.shardkit.store.Content.Part;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.cloudtest.ScriptedServer;
import dev.shardkit.store.policy.Durability;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which headers the settings of a store add to which requests, and what servers must not repeat. */
@Timeout(60)
class S3SettingsTest {
    private static final int PART = 5 << 20;
    private static final byte[] KEY = "0123456789abcdefghijklmnopqrstuv".getBytes(StandardCharsets.US_ASCII);
    private static final String KEY_TEXT = Base64.getEncoder().encodeToString(KEY);
    private static final String KEY_HEADER = "x-amz-server-side-encryption-customer-key";
    private static final String SOURCE_KEY_HEADER = "x-amz-copy-source-server-side-encryption-customer-key";
    private static final Content CONTENT = Content.of(Bytes.of(new byte[] {1, 2, 3}));
    private static final Map<String, String> TAG = Map.of("ETag", "\"abc\"");

    private final FakeS3 server = new FakeS3();

    @AfterEach
    void close() {
        server.close();
    }

    private static void put(S3Store store, Content content) throws Exception {
        store.store()
                .put("a", content, Condition.ANY, Durability.ATOMIC)
                .toCompletableFuture()
                .get();
    }

    private Optional<String> header(int request, String name) {
        return server.seen.get(request).header(name);
    }

    private void uploads(Content content, S3StoreBuilder builder) throws Exception {
        try (S3Store store = builder.partSize(PART).build()) {
            server.then(200, Map.of(), "<R><UploadId>up</UploadId></R>");
            for (long at = 0; at < content.size(); at += PART) {
                server.then(200, TAG, "<CopyPartResult><ETag>&quot;abc&quot;</ETag></CopyPartResult>");
            }
            server.then(200, Map.of(), "<R><ETag>&quot;whole-3&quot;</ETag></R>");
            put(store, content);
        }
    }

    private static Content twoPartsMovedOneSent() {
        return content(new Part.Stored("old", "s:\"v1\"", 100, 2L * PART), new Part.Literal(Bytes.zeros(10)));
    }

    /** Content that is available only as parts. */
    private static Content content(Part... parts) {
        List<Part> all = List.of(parts);
        return new Content() {
            @Override
            public long size() {
                return all.stream().mapToLong(Part::size).sum();
            }

            @Override
            public void writeTo(WritableByteChannel out) {
                throw new IllegalStateException("not asked for");
            }

            @Override
            public Optional<List<Part>> parts() {
                return Optional.of(all);
            }
        };
    }

    @Test
    void classAndMetadata_goWithNewObjects_notWithReads() throws Exception {
        S3StoreBuilder builder = server.builder().storageClass("STANDARD_IA").userMetadata("origin", "a microscope");
        try (S3Store store = builder.encryption(S3Encryption.managed()).build()) {
            server.then(200, TAG, "").then(404, "NoSuchKey");
            put(store, CONTENT);
            store.store()
                    .fetch("a", ByteRange.whole(), Optional.empty(), StoreListener.NONE)
                    .get();
        }
        assertEquals(Optional.of("STANDARD_IA"), header(0, "x-amz-storage-class"));
        assertEquals(Optional.of("a microscope"), header(0, "x-amz-meta-origin"));
        assertEquals(Optional.of("AES256"), header(0, "x-amz-server-side-encryption"));
        assertTrue(header(0, "authorization").orElseThrow().contains("x-amz-storage-class"), "signed");
        assertTrue(server.seen.get(1).headers().keySet().stream()
                .noneMatch(name -> name.startsWith("x-amz-s") || name.startsWith("x-amz-meta")));
    }

    @Test
    void kms_isNamedWhereObjectsBegin() throws Exception {
        uploads(Content.of(Bytes.zeros(2 * PART + 10)), server.builder().encryption(S3Encryption.kms("alias/data")));
        assertEquals(Optional.of("aws:kms"), header(0, "x-amz-server-side-encryption"));
        assertEquals(Optional.of("alias/data"), header(0, "x-amz-server-side-encryption-aws-kms-key-id"));
        for (int part = 1; part <= 4; part++) {
            assertEquals(Optional.empty(), header(part, "x-amz-server-side-encryption"));
        }
    }

    @Test
    void customerKey_goesWithEveryRequestForBytes_andIsNeverTold() throws Exception {
        S3Encryption key = S3Encryption.customerKey(KEY);
        assertFalse(key.toString().contains(KEY_TEXT));
        uploads(twoPartsMovedOneSent(), server.builder().encryption(key));
        assertEquals(5, server.seen.size());
        server.seen.forEach(seen -> assertEquals(Optional.of(KEY_TEXT), seen.header(KEY_HEADER), seen.toString()));
        assertEquals(
                2,
                server.seen.stream()
                        .filter(s -> s.header(SOURCE_KEY_HEADER).isPresent())
                        .count());
        try (S3Store store = server.builder().encryption(key).build()) {
            server.then(
                    400,
                    Map.of(),
                    "<Error><Code>InvalidArgument</Code><Message>bad " + KEY_TEXT + "</Message></Error>");
            var read = store.store().fetch("a", ByteRange.whole(), Optional.empty(), StoreListener.NONE);
            StoreException e = assertInstanceOf(
                    StoreException.class,
                    assertThrows(ExecutionException.class, read::get).getCause());
            assertEquals(Optional.of(KEY_TEXT), header(5, KEY_HEADER));
            assertFalse(e.getMessage().contains(KEY_TEXT), e.getMessage());
            server.then(200, Map.of(), "<CopyObjectResult><ETag>x</ETag></CopyObjectResult>");
            assertTrue(store.copy("a", "b", Durability.ATOMIC));
            assertEquals(Optional.of(KEY_TEXT), header(6, KEY_HEADER));
            assertEquals(Optional.of(KEY_TEXT), header(6, SOURCE_KEY_HEADER));
        }
    }

    @Test
    void sessionToken_thatTheServerRepeats_isNotTold() throws Exception {
        AccessKey keys = new AccessKey("AKID", "SECRETKEY", Optional.of("TOKENTOKEN"));
        try (S3Store store = server.builder().credentials(keys).build()) {
            server.then(400, Map.of(), "<Error><Code>InvalidToken</Code><Message>no TOKENTOKEN</Message></Error>");
            StoreException e = assertInstanceOf(
                    StoreException.class,
                    assertThrows(ExecutionException.class, () -> put(store, CONTENT))
                            .getCause());
            assertTrue(e.getMessage().contains("InvalidToken"), e.getMessage());
            assertFalse(e.getMessage().contains("TOKENTOKEN"), e.getMessage());
        }
    }

    @Test
    void movedRange_isCopiedByTheServer_underItsVersion() throws Exception {
        uploads(twoPartsMovedOneSent(), server.builder());
        List<ScriptedServer.Seen> copies = server.seen.stream()
                .filter(s -> s.header("x-amz-copy-source").isPresent())
                .toList();
        assertEquals(2, copies.size());
        for (ScriptedServer.Seen copy : copies) {
            boolean first = copy.uri().getQuery().contains("partNumber=1");
            assertEquals(Optional.of("bucket/root/old"), copy.header("x-amz-copy-source"));
            assertEquals(Optional.of("\"v1\""), copy.header("x-amz-copy-source-if-match"));
            assertEquals(
                    Optional.of(first ? "bytes=100-5242979" : "bytes=5242980-10485859"),
                    copy.header("x-amz-copy-source-range"));
        }
    }

    @Test
    void serverWithoutRangeCopies_getsTheBytes() throws Exception {
        try (S3Store store = server.builder().partSize(PART).build()) {
            server.then(200, Map.of(), "<R><UploadId>up</UploadId></R>");
            for (int i = 0; i < 4; i++) {
                server.then(501, "NotImplemented");
            }
            var put = store.store()
                    .put(
                            "a",
                            content(new Part.Stored("old", "s:\"v1\"", 0, 2L * PART + 1)),
                            Condition.ANY,
                            Durability.ATOMIC);
            assertThrows(
                    ExecutionException.class, () -> put.toCompletableFuture().get());
            assertTrue(
                    server.seen.stream()
                            .anyMatch(s -> s.method().equals("GET")
                                    && s.header("if-match").equals(Optional.of("\"v1\""))),
                    server.seen.toString());
        }
    }

    @Test
    void probe_ofAServerThatIgnoresConditions_saysSo() throws Exception {
        try (S3Store store = server.builder().build()) {
            server.then(200, TAG, "").then(200, TAG, "").then(200, TAG, "").then(204, Map.of(), "");
            assertFalse(BlockingStore.to(store).putsUnderConditions());
            assertFalse(BlockingStore.to(store).putsUnderConditions(), "asked once");
        }
        assertEquals(4, server.seen.size());
        assertEquals(Optional.of("*"), header(0, "if-none-match"));
        assertEquals("DELETE", server.seen.get(3).method());
    }

    @Test
    void probe_ofAServerThatRefusesConditions_saysSo() throws Exception {
        try (S3Store store = server.builder().build()) {
            server.then(501, "NotImplemented").then(204, Map.of(), "");
            assertEquals(Set.of(Condition.Kind.ANY), store.store().honours());
        }
    }

    @Test
    void probe_ofAServerThatHonoursConditions_saysSo() throws Exception {
        try (S3Store store = server.builder().build()) {
            server.then(200, TAG, "").then(412, "PreconditionFailed").then(412, "PreconditionFailed");
            server.then(204, Map.of(), "");
            assertTrue(BlockingStore.to(store).putsUnderConditions());
        }
    }

    @Test
    void headOfABucketElsewhere_goesThere() throws Exception {
        try (S3Store store = server.builder().build()) {
            Map<String, String> elsewhere = Map.of("x-amz-bucket-region", "ap-south-1");
            server.then(400, elsewhere, "").then(404, Map.of(), "");
            assertTrue(((MultipartUpload) store.store().bulk())
                    .changes()
                    .stat("a")
                    .get()
                    .isEmpty());
        }
        assertTrue(header(1, "authorization").orElseThrow().contains("/ap-south-1/s3/"));
    }

    @Test
    void settings_thatCannotBeSent_areRefused() {
        S3StoreBuilder builder = server.builder();
        assertThrows(IllegalArgumentException.class, () -> builder.storageClass("two words"));
        assertThrows(IllegalArgumentException.class, () -> builder.userMetadata("shardkit-write", "x"));
        assertThrows(IllegalArgumentException.class, () -> builder.userMetadata("Name", "x"));
        assertThrows(IllegalArgumentException.class, () -> builder.userMetadata("name", "a\nb"));
        assertThrows(IllegalArgumentException.class, () -> S3Encryption.customerKey(new byte[16]));
    }

    @Test
    void conflictOfRacingWriters_isTriedAgain() throws Exception {
        try (S3Store store = server.builder().build()) {
            server.then(409, "ConditionalRequestConflict").then(200, TAG, "");
            WriteResult outcome = store.store()
                    .put("a", CONTENT, Condition.version("s:\"v\""), Durability.ATOMIC)
                    .toCompletableFuture()
                    .get();
            assertInstanceOf(WriteResult.Done.class, outcome);
        }
    }
}
