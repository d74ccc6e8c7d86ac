package dev.shardkit.store.azure;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Content.Part;
import dev.shardkit.store.Content.Part.Stored;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Store;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.azure.AzuriteFront.Way;
import dev.shardkit.store.http.RetryPolicy;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.testkit.store.RangeCopiesContract;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Blobs that consist of ranges of stored blobs, on Azurite, alone and behind a server that copies ranges. */
@Timeout(120)
@Tag("one-jdk")
class MovedRangesTest {
    /** The name of a blob is part of its signature. */
    private static final String KEY = "a b/c+%41ü&=?.x";

    private static final int SIZE = 1_000_000;
    private static final byte[] OLD = bytes(1, SIZE);

    private Optional<AzuriteFront> opened = Optional.empty();

    @AfterEach
    void close() {
        opened.ifPresent(AzuriteFront::close);
    }

    private AzuriteFront front(Way way) {
        opened = Optional.of(new AzuriteFront(way));
        return opened.get();
    }

    private static byte[] bytes(int seed, int size) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static void put(AzureStore store, String key, byte[] value) throws IOException {
        BlockingStore.to(store).put(key, Content.of(Bytes.of(value)), Condition.ANY, Durability.ATOMIC);
    }

    private static WriteResult put(AzureStore store, List<Part> parts, Condition condition) throws IOException {
        return BlockingStore.to(store).put(KEY, new OfParts(parts), condition, Durability.ATOMIC);
    }

    private static String version(AzureStore store) throws IOException {
        return BlockingStore.to(store).version(KEY).orElseThrow();
    }

    private static byte[] get(AzureStore store) throws IOException {
        ObjectSnapshot read = BlockingStore.to(store).open(KEY).orElseThrow();
        ByteBuffer all = ByteBuffer.allocate((int) read.size());
        read.read(0, all);
        return all.array();
    }

    /** Large ranges, a small one, and new bytes between them. */
    private static List<Part> parts(String version) {
        return List.of(
                new Part.Literal(Bytes.of(bytes(2, 10))),
                new Stored(KEY, version, 0, 300_001),
                new Stored(KEY, version, 400_000, 1000),
                new Part.Literal(Bytes.of(bytes(3, 100_000))),
                new Stored(KEY, version, 500_000, 400_000),
                new Part.Literal(Bytes.of(bytes(4, 16))));
    }

    private static byte[] expected() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(bytes(2, 10));
        all.writeBytes(Arrays.copyOf(OLD, 300_001));
        all.writeBytes(Arrays.copyOfRange(OLD, 400_000, 401_000));
        all.writeBytes(bytes(3, 100_000));
        all.writeBytes(Arrays.copyOfRange(OLD, 500_000, 900_000));
        all.writeBytes(bytes(4, 16));
        return all.toByteArray();
    }

    @Test
    void largeRanges_areCopiedByTheServer_andTheRestIsSent() throws Exception {
        AzuriteFront front = front(Way.HONEST);
        try (AzureStore store = front.builder(Azurite.fresh()).build()) {
            put(store, KEY, OLD);
            String old = version(store);
            long before = front.sent.get();
            assertInstanceOf(WriteResult.Done.class, put(store, parts(old), Condition.version(old)));
            assertArrayEquals(expected(), get(store));
            assertEquals(5 + 7, front.copies.size());
            long sent = front.sent.get() - before;
            assertTrue(sent < 101_026 + 3000, sent + " bytes"); // and the list of blocks
            List<Part> again = List.of(new Stored(KEY, version(store), 0, 300_001));
            assertEquals(WriteResult.NOT_MET, put(store, again, Condition.version(old)));
            assertArrayEquals(expected(), get(store));
        }
    }

    @Test
    void signatureForTheServer_isForOneBlob_forReading_forMinutes() throws Exception {
        AzuriteFront front = front(Way.HONEST);
        try (AzureStore store = front.builder(Azurite.fresh()).build()) {
            put(store, KEY, OLD);
            put(store, parts(version(store)), Condition.ANY);
        }
        List<String> query = List.of(front.copies.get(0).getQuery().split("&"));
        assertTrue(query.containsAll(List.of("sp=r", "sr=b")), query.toString());
        String expiry =
                query.stream().filter(p -> p.startsWith("se=")).findFirst().orElseThrow();
        Duration life = Duration.between(Instant.now(), Instant.parse(expiry.substring(3)));
        assertTrue(life.compareTo(Duration.ofMinutes(21)) < 0, life.toString());
    }

    @Test
    void signatureOfTheStore_isThatForTheServer() throws Exception {
        AzuriteFront front = front(Way.HONEST);
        String text = "rwd\n\n2099-01-01T00:00:00Z\n/blob/devstoreaccount1/tests\n\n\n\n2021-12-02\nc\n\n\n\n\n\n\n";
        String signature = "sv=2021-12-02&sr=c&sp=rwd&se=2099-01-01T00:00:00Z&sig="
                + AzuriteFront.key().hmac(text).replace("+", "%2B");
        try (AzureStore store =
                front.builder(Azurite.fresh()).sasToken(signature).build()) {
            put(store, KEY, OLD);
            put(store, parts(version(store)), Condition.ANY);
            assertArrayEquals(expected(), get(store));
            assertEquals(5 + 7, front.copies.size());
            assertTrue(front.copies.get(0).getRawQuery().contains("se=2099-01-01"));
        }
    }

    /** Also a server that does not do what it says must not change a byte. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HONEST")
    void serverThatDoesNotCopy_getsTheBytes_andIsNotAskedAgain(Way way) throws Exception {
        AzuriteFront front = front(way);
        RetryPolicy shortPauses = new RetryPolicy(4, Duration.ofMillis(1), Duration.ofMillis(2));
        try (AzureStore store =
                front.builder(Azurite.fresh()).retries(shortPauses).build()) {
            put(store, KEY, OLD);
            put(store, parts(version(store)), Condition.version(version(store)));
            assertArrayEquals(expected(), get(store));
            int asked = front.copies.size();
            int expected =
                    switch (way) {
                        case LACKING, DENYING -> 1;
                        case FAILING, LOSING -> 4; // the tries of the first copy
                        default -> 5 + 7;
                    };
            assertEquals(expected, asked);
            put(store, KEY, OLD);
            put(store, parts(version(store)), Condition.version(version(store)));
            assertArrayEquals(expected(), get(store));
            assertEquals(asked, front.copies.size());
        }
    }

    /** Azurite 3.35.0 answers 501. Later ones copy. */
    @Test
    void azurite_isAskedOnce_orCopies() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        try (AzureStore store = Azurite.builder(Azurite.fresh())
                .partSize(64 << 10)
                .metrics(request -> {
                    if (request.operation().startsWith("copy of block")) {
                        asked.incrementAndGet();
                        refused.addAndGet(request.status().orElse(0) == 501 ? 1 : 0);
                    }
                })
                .build()) {
            put(store, KEY, OLD);
            put(store, parts(version(store)), Condition.version(version(store)));
            assertArrayEquals(expected(), get(store));
        }
        assertEquals(refused.get() > 0 ? 1 : 12, asked.get());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void sourceThatChanged_isNotMixedWithOtherBytes(boolean deleted) throws Exception {
        AzuriteFront front = front(Way.HONEST);
        try (AzureStore store = front.builder(Azurite.fresh()).build()) {
            put(store, KEY, OLD);
            String old = version(store);
            byte[] next = bytes(5, SIZE);
            if (deleted) {
                BlockingStore.to(store).delete(KEY);
            } else {
                put(store, KEY, next);
            }
            assertThrows(ObjectChangedException.class, () -> put(store, parts(old), Condition.ANY));
            if (deleted) {
                assertFalse(BlockingStore.to(store).version(KEY).isPresent());
                put(store, KEY, next);
            }
            assertArrayEquals(next, get(store));
            int before = front.copies.size();
            put(store, parts(version(store)), Condition.ANY); // the server still copies
            assertEquals(before + 12, front.copies.size());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {SIZE - 199_999, SIZE, 1L << 40})
    void rangePastTheEnd_failsAndChangesNothing(long offset) throws Exception {
        AzuriteFront front = front(Way.HONEST);
        try (AzureStore store = front.builder(Azurite.fresh()).build()) {
            put(store, KEY, OLD);
            List<Part> past = List.of(new Stored(KEY, version(store), offset, 200_000));
            assertThrows(Exception.class, () -> put(store, past, Condition.ANY));
            assertArrayEquals(OLD, get(store));
        }
    }

    @Nested
    class RangeCopies extends RangeCopiesContract {
        @Override
        protected Store freshStore() {
            return front(Way.HONEST).builder(Azurite.fresh()).partSize(1 << 20).build();
        }
    }

    /** Content that is available only as parts. */
    record OfParts(List<Part> all) implements Content {
        @Override
        public long size() {
            return all.stream().mapToLong(Part::size).sum();
        }

        @Override
        public void writeTo(WritableByteChannel out) {
            throw new IllegalStateException("a store that copies ranges uses the parts");
        }

        @Override
        public Optional<List<Part>> parts() {
            return Optional.of(all);
        }
    }
}
