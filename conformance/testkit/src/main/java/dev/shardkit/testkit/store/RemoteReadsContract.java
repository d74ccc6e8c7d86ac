package dev.shardkit.testkit.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.FetchRequest;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of stores with {@link RemoteReads}, including read-only ones. To test a store, extend it and supply a
 * store with given objects. If objects can change while the store is open, extend {@link RemoteChangesContract}.
 */
@Timeout(120)
public abstract class RemoteReadsContract {
    private @Nullable Store opened;

    /** For subclasses. */
    protected RemoteReadsContract() {}

    /** Returns a store with exactly these objects. Called once for each test. */
    protected abstract Store storeOf(Map<String, byte[]> objects) throws Exception;

    /** Whether the store distinguishes versions. */
    protected boolean hasVersions() {
        return true;
    }

    /** Returns keys that are legal but unusual. Override it to leave out keys that the store cannot hold. */
    protected List<String> unusualKeys() {
        return List.of(
                "a b",
                "%2e%2e/x",
                "a%20b",
                "a+b",
                "a?b=c",
                "a#b",
                "\u00e4/\u65e5",
                "a;b",
                "a:b@c",
                "~",
                "a&b",
                "\ud83d\ude00",
                "x/..y",
                "\"q\"",
                "a\\b");
    }

    @AfterEach
    final void closeStore() {
        if (opened != null) {
            opened.close();
        }
    }

    /** Opens the store of this test, with exactly these objects. */
    final void given(Map<String, byte[]> objects) throws Exception {
        opened = storeOf(objects);
    }

    final void given(String key, byte[] value) throws Exception {
        given(Map.of(key, value));
    }

    /** Returns the store of this test. */
    protected final Store store() {
        return Objects.requireNonNull(opened);
    }

    /** Returns the reads of {@code store}. */
    protected static RemoteReads reads(Store store) {
        return assertInstanceOf(RemoteReads.class, store.reads());
    }

    /** Returns the result of a read from {@code store}, or throws its failure. */
    protected static FetchResult fetch(Store store, String key, ByteRange range, Optional<String> pin)
            throws Exception {
        try {
            return reads(store).fetch(key, range, pin, StoreListener.NONE).get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /** Returns the bytes of a range; fails if the object is absent. */
    final FetchResult.Found found(String key, ByteRange range) throws Exception {
        return assertInstanceOf(FetchResult.Found.class, fetch(store(), key, range, Optional.empty()));
    }

    @Test
    void fetch_anyRange_isExactlyThatRange() throws Exception {
        byte[] value = StoreSuiteHelpers.bytes(1, 100_000);
        given("a/c/0", value);
        Random random = new Random(1);
        for (int i = 0; i < 50; i++) {
            int offset = random.nextInt(value.length);
            int length = random.nextInt(value.length - offset) + 1;
            FetchResult.Found slice = found("a/c/0", new ByteRange.Slice(offset, length));
            assertArrayEquals(
                    Arrays.copyOfRange(value, offset, offset + length),
                    slice.bytes().toArray());
            assertEquals(value.length, slice.objectSize());
            ByteRange same = new ByteRange.Slice(offset, length);
            // A caller that promises not to block may be answered on another thread, but with the same bytes.
            FetchResult direct = reads(store())
                    .fetch(FetchRequest.of("a/c/0", same, slice.version(), StoreListener.NONE)
                            .withDependents(FetchRequest.Dependents.NEVER_BLOCK))
                    .get();
            assertTrue(slice.bytes()
                    .contentEquals(
                            assertInstanceOf(FetchResult.Found.class, direct).bytes()));
            FetchResult.Found suffix = found("a/c/0", new ByteRange.Suffix(length));
            assertArrayEquals(
                    Arrays.copyOfRange(value, value.length - length, value.length),
                    suffix.bytes().toArray());
            assertEquals(value.length, suffix.objectSize());
        }
        assertArrayEquals(value, found("a/c/0", ByteRange.whole()).bytes().toArray());
        assertArrayEquals(
                value,
                found("a/c/0", new ByteRange.Slice(0, value.length)).bytes().toArray());
        assertArrayEquals(
                value,
                found("a/c/0", new ByteRange.Suffix(1_000_000_000_000L)).bytes().toArray());
    }

    @Test
    void fetch_arrivals_areBeginningsOfTheRange() throws Exception {
        byte[] value = StoreSuiteHelpers.bytes(1, 3_000_000);
        given("a/c/0", value);
        List<FetchResult.Found> received = new CopyOnWriteArrayList<>();
        FetchResult.Found found = (FetchResult.Found) reads(store())
                .fetch(FetchRequest.of(
                                "a/c/0", new ByteRange.Slice(1000, 2_500_000), Optional.empty(), StoreListener.NONE)
                        .withProgress(received::add))
                .get();
        byte[] range = Arrays.copyOfRange(value, 1000, 2_501_000);
        assertArrayEquals(range, found.bytes().toArray());
        for (FetchResult.Found beginning : received) {
            assertArrayEquals(
                    Arrays.copyOf(range, (int) beginning.bytes().size()),
                    beginning.bytes().toArray());
            assertEquals(value.length, beginning.objectSize());
            assertEquals(found.version(), beginning.version());
        }
    }

    @Test
    void fetch_emptyRange_isEmptyAndTellsTheSize() throws Exception {
        given("k", StoreSuiteHelpers.bytes(1, 10));
        for (ByteRange range :
                List.of(new ByteRange.Slice(0, 0), new ByteRange.Slice(10, 0), new ByteRange.Suffix(0))) {
            FetchResult.Found found = found("k", range);
            assertEquals(0, found.bytes().size(), range.toString());
            assertEquals(10, found.objectSize(), range.toString());
        }
    }

    @Test
    void fetch_emptyObject_isFound() throws Exception {
        given("k", new byte[0]);
        for (ByteRange range : List.of(
                ByteRange.whole(), new ByteRange.Suffix(5), new ByteRange.Suffix(0), new ByteRange.Slice(0, 0))) {
            FetchResult.Found found = found("k", range);
            assertEquals(0, found.bytes().size(), range.toString());
            assertEquals(0, found.objectSize(), range.toString());
        }
    }

    @Test
    void fetch_absentKey_isAbsent() throws Exception {
        given("a/b", new byte[1]);
        for (String key : List.of("zarr.json", "a", "a/c/0/0")) {
            for (ByteRange range : List.of(
                    ByteRange.whole(), new ByteRange.Suffix(5), new ByteRange.Slice(7, 9), new ByteRange.Slice(0, 0))) {
                assertInstanceOf(
                        FetchResult.Absent.class, fetch(store(), key, range, Optional.empty()), key + " " + range);
            }
        }
    }

    @Test
    void fetch_rangePastTheEnd_isCorruptData() throws Exception {
        given("k", StoreSuiteHelpers.bytes(1, 10));
        for (ByteRange range : List.of(
                new ByteRange.Slice(0, 11),
                new ByteRange.Slice(9, 2),
                new ByteRange.Slice(10, 1),
                new ByteRange.Slice(1L << 40, 1),
                new ByteRange.Slice(5, 1L << 40),
                new ByteRange.Slice(11, 0))) {
            assertThrows(
                    CorruptDataException.class, () -> fetch(store(), "k", range, Optional.empty()), range.toString());
        }
    }

    @Test
    void fetch_unusualKeys_findTheirObjects() throws Exception {
        List<String> keys = unusualKeys();
        Map<String, byte[]> objects = new HashMap<>();
        keys.forEach(key -> objects.put(key, key.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        given(objects);
        for (String key : keys) {
            assertArrayEquals(
                    key.getBytes(java.nio.charset.StandardCharsets.UTF_8),
                    found(key, ByteRange.whole()).bytes().toArray(),
                    key);
        }
    }

    @Test
    void fetch_illegalKeys_areTheCallersMistake() throws Exception {
        given(Map.of());
        for (String key : StoreSuiteHelpers.ILLEGAL_KEYS) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> fetch(store(), key, ByteRange.whole(), Optional.empty()),
                    key);
        }
    }

    @Test
    void fetch_pinned_isThatVersionOrObjectChanged() throws Exception {
        given("k", StoreSuiteHelpers.bytes(1, 1000));
        Optional<String> version = found("k", new ByteRange.Suffix(10)).version();
        assertEquals(hasVersions(), version.isPresent());
        for (ByteRange range : List.of(
                new ByteRange.Slice(0, 10), new ByteRange.Suffix(9), ByteRange.whole(), new ByteRange.Slice(0, 0))) {
            assertEquals(version, found("k", range).version(), range.toString());
            assertEquals(
                    version, ((FetchResult.Found) fetch(store(), "k", range, version)).version(), range.toString());
        }
        if (hasVersions()) {
            for (ByteRange range : List.of(new ByteRange.Slice(0, 10), ByteRange.whole())) {
                assertThrows(
                        ObjectChangedException.class,
                        () -> fetch(store(), "k", range, Optional.of("another version")),
                        range.toString());
            }
        }
    }

    @Test
    void fetch_manyAtOnce_allAnswer() throws Exception {
        byte[] value = StoreSuiteHelpers.bytes(1, 300_000);
        given("k", value);
        List<CompletableFuture<FetchResult>> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            all.add(reads(store())
                    .fetch("k", new ByteRange.Slice(i * 1000L, 1000), Optional.empty(), StoreListener.NONE));
        }
        for (int i = 0; i < 200; i++) {
            FetchResult.Found found = (FetchResult.Found) all.get(i).get();
            assertArrayEquals(
                    Arrays.copyOfRange(value, i * 1000, i * 1000 + 1000),
                    found.bytes().toArray());
        }
    }

    @Test
    void fetch_cancelled_isCancelled() throws Exception {
        given("k", StoreSuiteHelpers.bytes(1, 100_000));
        for (int i = 0; i < 50; i++) {
            CompletableFuture<FetchResult> future =
                    reads(store()).fetch("k", ByteRange.whole(), Optional.empty(), StoreListener.NONE);
            assertTrue(future.cancel(true) || future.isDone());
        }
        assertEquals(100_000, found("k", ByteRange.whole()).objectSize());
    }

    @Test
    void describe_always_saysSomething() throws Exception {
        given(Map.of());
        assertFalse(store().describe().isBlank());
    }
}
