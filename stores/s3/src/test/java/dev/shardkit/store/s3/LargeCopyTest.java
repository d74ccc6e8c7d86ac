package dev.shardkit.store.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Leftover;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.cloud.CloudRequest;
import dev.shardkit.store.cloudtest.ScriptedServer;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.store.remote.RetriedOperation;
import dev.shardkit.store.remote.exchange.ResponseOutcome.Response;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Copies by ranges: on a real server, with small ranges, and with answers as Amazon gives them for large objects. */
@Timeout(60)
class LargeCopyTest {
    private static final int RANGE = 5 << 20;
    private static final String BEGUN =
            "<InitiateMultipartUploadResult><UploadId>up</UploadId></InitiateMultipartUploadResult>";
    private static final String COMPLETED =
            "<CompleteMultipartUploadResult><ETag>&quot;whole-2&quot;</ETag></CompleteMultipartUploadResult>";

    private static LargeCopy copies(S3Store from, S3Store to) {
        return copies(from, to, () -> false);
    }

    private static LargeCopy copies(S3Store from, S3Store to, BooleanSupplier stopped) {
        MultipartUpload uploads = (MultipartUpload) to.store().bulk();
        MultipartUpload source = (MultipartUpload) from.store().bulk();
        return new LargeCopy(
                new MultipartUpload(uploads.changes(), uploads.origin(), RANGE),
                source.changes().context(),
                source.origin(),
                stopped);
    }

    @Test
    void stoppedCopy_endsAfterItsUploadIsAborted() throws Exception {
        try (S3Store store =
                Versity.builder(Versity.fresh()).abandonedAfter(Duration.ZERO).build()) {
            byte[] value = new byte[2 * RANGE];
            BlockingStore.to(store).put("old", Content.of(Bytes.of(value)), Condition.ABSENT, Durability.ATOMIC);
            for (int looks = 0; looks < 3; looks++) { // before each of two ranges, and before the completion
                AtomicInteger left = new AtomicInteger(looks);
                LargeCopy copy = copies(store, store, () -> left.getAndDecrement() <= 0);
                assertThrows(
                        ExecutionException.class, () -> copy.copy("old", "new").get());
                assertTrue(BlockingStore.to(store).open("new").isEmpty());
                List<Leftover> leftovers = new ArrayList<>();
                store.leftovers("", leftovers::add);
                assertEquals(List.of(), leftovers);
            }
        }
    }

    @Test
    void objectOfSeveralRanges_isCopiedByTheServer_withItsMetadata() throws Exception {
        byte[] value = new byte[2 * RANGE + 17];
        new Random(5).nextBytes(value);
        try (S3Store from = Versity.builder(Versity.fresh())
                        .userMetadata("sample", "s 1")
                        .build();
                S3Store to = Versity.builder(Versity.fresh()).build()) {
            BlockingStore.to(from).put("old", Content.of(Bytes.of(value)), Condition.ABSENT, Durability.ATOMIC);
            assertTrue(copies(from, to).copy("old", "new/copy").get());
            ObjectSnapshot copy = BlockingStore.to(to).open("new/copy").orElseThrow();
            ByteBuffer all = ByteBuffer.allocate(value.length);
            copy.read(0, all);
            assertEquals(ByteBuffer.wrap(value), all.flip());
            assertTrue(copy.version().contains("-3"), copy.version()); // the ETag of an upload in three parts
            assertEquals(Optional.of("s 1"), stat(to, "new/copy").headers().firstValue("x-amz-meta-sample"));
        }
    }

    private static Response stat(S3Store store, String key) throws Exception {
        MultipartUpload uploads = (MultipartUpload) store.store().bulk();
        S3Origin origin = uploads.origin();
        String name = origin.location().nameOf(key);
        CloudRequest<Response> look =
                new CloudRequest<>(origin, "HEAD", () -> origin.stat(name), CloudRequest.SMALL, Optional::of);
        return new RetriedOperation<>(uploads.changes().context(), look).start().get();
    }

    @Test
    void absentObject_isNotCopied() throws Exception {
        try (S3Store store = Versity.builder(Versity.fresh()).build()) {
            assertFalse(copies(store, store).copy("absent", "copy").get());
        }
    }

    @Test
    void copy_thatTheServerRefusesAsTooLarge_isMadeByRanges() {
        try (FakeS3 server = new FakeS3();
                S3Store store = server.builder().build()) {
            server.then(400, "EntityTooLarge")
                    .then(
                            200,
                            Map.of(
                                    "ETag",
                                    "\"v1\"",
                                    "Content-Length",
                                    "10",
                                    "Content-Type",
                                    "x/y",
                                    "x-amz-meta-a",
                                    "b"),
                            "")
                    .then(200, Map.of(), BEGUN)
                    .then(200, Map.of(), "<CopyPartResult><ETag>\"p\"</ETag></CopyPartResult>")
                    .then(200, Map.of(), COMPLETED);
            assertTrue(store.copy("old", "new", Durability.ATOMIC));
            ScriptedServer.Seen begun = server.seen.get(2);
            assertEquals(Optional.of("x/y"), begun.header("content-type"));
            assertEquals(Optional.of("b"), begun.header("x-amz-meta-a"));
            ScriptedServer.Seen part = server.seen.get(3);
            assertEquals(Optional.of("bucket/root/old"), part.header("x-amz-copy-source"));
            assertEquals(Optional.of("bytes=0-9"), part.header("x-amz-copy-source-range"));
            assertEquals(Optional.of("\"v1\""), part.header("x-amz-copy-source-if-match"));
        }
    }

    @Test
    void sourceThatChangesMeanwhile_endsTheCopy_andAbortsTheUpload() throws Exception {
        try (FakeS3 server = new FakeS3();
                S3Store store = server.builder().build()) {
            server.then(400, "EntityTooLarge")
                    .then(200, Map.of("ETag", "\"v1\"", "Content-Length", "10"), "")
                    .then(200, Map.of(), BEGUN)
                    .then(412, "PreconditionFailed")
                    .then(204, "");
            Exception e = assertThrows(Exception.class, () -> store.copy("old", "new", Durability.ATOMIC));
            assertInstanceOf(ObjectChangedException.class, e);
            while (server.seen.stream().noneMatch(request -> request.method().equals("DELETE"))) {
                Thread.onSpinWait();
            }
        }
    }
}
