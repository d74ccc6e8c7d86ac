package dev.shardkit.clouds;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.maintenance.copy.Move;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Condition;
import dev.shardkit.store.Content;
import dev.shardkit.store.Copies;
import dev.shardkit.store.Entry;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.Listings;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.TreeDeletions;
import dev.shardkit.store.WriteResult;
import dev.shardkit.store.Writes;
import dev.shardkit.store.cache.CachedStore;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.store.zip.ZipStore;
import dev.shardkit.testkit.internal.Rounds;
import dev.shardkit.testkit.server.CutServer;
import dev.shardkit.testkit.server.CutServer.Cut;
import dev.shardkit.testkit.server.CutServer.End;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A real server of a cloud, whose answers end after any byte of head and body, by closing or resetting the connection.
 * Every operation must be retried and give the right result. {@code -Dshardkit.rounds=400} cuts at each byte; by
 * default, the bytes of an answer are tried in steps, from an offset that the seed chooses.
 */
@Timeout(1200)
abstract class CloudCuts {
    private static final int STRIDE = Rounds.areMany() ? Rounds.stride(400) : 1000;
    private static final long SEED = Long.getLong("shardkit.cuts.seed", System.nanoTime());
    private static final byte[] OBJECT = "the bytes of an object".getBytes(StandardCharsets.US_ASCII);

    private final Bucket bucket;

    CloudCuts(Supplier<Bucket> bucket) {
        this.bucket = bucket.get();
    }

    /** An operation that succeeds, whatever happens to its first answers. */
    @FunctionalInterface
    private interface Operation {
        void run(Store store) throws Exception;
    }

    /** The operations, each with the position of the exchange that is cut. Those before it lose their whole answer. */
    private enum Verb {
        GET(0, store -> assertRead(store, ByteRange.whole(1000), OBJECT)),
        GET_RANGE(0, store -> assertRead(store, new ByteRange.Slice(4, 5), Arrays.copyOfRange(OBJECT, 4, 9))),
        GET_ABSENT(
                0,
                store -> assertInstanceOf(
                        FetchResult.Absent.class, await(reads(store).fetch("no", ByteRange.whole(9), NONE, LISTENER)))),
        PUT(0, store -> assertInstanceOf(WriteResult.Done.class, put(store, "k", Condition.ANY))),
        PUT_ABSENT(0, store -> {
            await(writes(store).delete("fresh", Condition.ANY));
            assertInstanceOf(WriteResult.Done.class, put(store, "fresh", Condition.ABSENT));
        }) {
            @Override
            boolean isCut(CutServer.Asked asked) {
                return isWrite(asked);
            }
        },
        /** The answer to the put is lost, the retry is refused, and the answer that tells whose object it is is cut. */
        WHOSE(2, store -> {
            await(writes(store).delete("fresh", Condition.ANY));
            assertInstanceOf(WriteResult.Done.class, put(store, "fresh", Condition.ABSENT));
        }) {
            @Override
            boolean isCut(CutServer.Asked asked) {
                return !asked.method().equals("DELETE");
            }
        },
        PUT_VERSION(0, store -> {
            WriteResult.Done before = assertInstanceOf(WriteResult.Done.class, put(store, "k", Condition.ANY));
            Condition same = new Condition.Version(before.version().orElseThrow());
            assertInstanceOf(WriteResult.Done.class, put(store, "k", same));
        }) {
            @Override
            boolean isCut(CutServer.Asked asked) {
                return isWrite(asked)
                        && (asked.headers().containsKey("if-match")
                                || asked.target().contains("Match"));
            }
        },
        DELETE(0, store -> {
            assertInstanceOf(WriteResult.Done.class, put(store, "gone", Condition.ANY));
            await(writes(store).delete("gone", Condition.ANY));
            assertInstanceOf(
                    FetchResult.Absent.class, await(reads(store).fetch("gone", ByteRange.whole(9), NONE, LISTENER)));
        }) {
            @Override
            boolean isCut(CutServer.Asked asked) {
                return asked.method().equals("DELETE");
            }
        },
        LIST(0, store -> assertEquals(new TreeSet<>(Arrays.asList("a", "b", "c")), names(store, "l"))),
        COPY(0, store -> {
            Copies copies = store.find(Copies.class).orElseThrow();
            assertTrue(copies.copy("object", "copied", Durability.ATOMIC));
            assertEquals(
                    OBJECT.length, read(store, "copied", ByteRange.whole(99)).objectSize());
        }),
        DELETE_ALL(0, store -> {
            put(store, "t/a", Condition.ANY);
            put(store, "t/b", Condition.ANY);
            store.find(TreeDeletions.class).orElseThrow().deleteAll("t");
            assertEquals(new TreeSet<>(), names(store, "t"));
        }) {
            @Override
            boolean isCut(CutServer.Asked asked) {
                return !asked.method().equals("PUT") && !asked.target().startsWith("/upload");
            }
        };

        private final int exchange;
        private final Operation operation;

        Verb(int exchange, Operation operation) {
            this.exchange = exchange;
            this.operation = operation;
        }

        /** Whether the exchange counts. */
        boolean isCut(CutServer.Asked asked) {
            return true;
        }

        private static boolean isWrite(CutServer.Asked asked) {
            return asked.method().equals("PUT") || asked.method().equals("POST");
        }
    }

    private static final Optional<String> NONE = Optional.empty();
    private static final StoreListener LISTENER = StoreListener.NONE;

    private static RemoteReads reads(Store store) {
        return (RemoteReads) store.reads();
    }

    private static Writes writes(Store store) {
        return store.find(Writes.class).orElseThrow();
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(300, TimeUnit.SECONDS);
    }

    private static WriteResult put(Store store, String key, Condition condition) throws Exception {
        return await(writes(store).put(key, Content.of(Bytes.of(OBJECT)), condition, Durability.ATOMIC));
    }

    private static FetchResult.Found read(Store store, String key, ByteRange range) throws Exception {
        return assertInstanceOf(FetchResult.Found.class, await(reads(store).fetch(key, range, NONE, LISTENER)));
    }

    private static void assertRead(Store store, ByteRange range, byte[] expected) throws Exception {
        FetchResult.Found found = read(store, "object", range);
        assertArrayEquals(expected, found.bytes().toArray());
        assertEquals(OBJECT.length, found.objectSize());
    }

    private static TreeSet<String> names(Store store, String prefix) throws Exception {
        TreeSet<String> names = new TreeSet<>();
        try (Listings.Names listing = store.find(Listings.class).orElseThrow().list(prefix, Listings.Depth.ONE)) {
            for (var batch = await(listing.next()); !batch.isEmpty(); batch = await(listing.next())) {
                batch.stream().map(Entry::name).forEach(names::add);
            }
        }
        return names;
    }

    @ParameterizedTest
    @EnumSource(Verb.class)
    void answersThatEndAnywhere_areRetried(Verb verb) throws Exception {
        int offset = new Random(SEED + verb.ordinal()).nextInt(STRIDE);
        try (CutServer server = CutServer.before(bucket.endpoint());
                Store store = bucket.behind(server.uri());
                Store direct = bucket.store()) {
            put(direct, "object", Condition.ANY);
            for (String name : new String[] {"l/a", "l/b", "l/c/d"}) {
                put(direct, name, Condition.ANY);
            }
            int cuts = 0;
            for (int length = offset; cut(server, store, verb, length); length += STRIDE) {
                cuts++;
            }
            System.out.printf(
                    "%s, %s: %d cuts, stride %d, seed %d%n", bucket.location().getScheme(), verb, cuts, STRIDE, SEED);
            assertTrue(cuts > 0 || STRIDE > 30, "no answer was cut");
        }
    }

    /** Returns whether the answer was longer than {@code length}. */
    private static boolean cut(CutServer server, Store store, Verb verb, int length) throws Exception {
        AtomicInteger exchanges = new AtomicInteger();
        AtomicInteger reached = new AtomicInteger();
        End end = length % 2 == 0 ? End.CLOSE : End.RESET;
        server.cuts(asked -> {
            if (!verb.isCut(asked)) {
                return Cut.NONE;
            }
            int now = exchanges.getAndIncrement();
            if (now == verb.exchange) {
                reached.set(server.made());
                return new Cut(length, end);
            }
            // the retry of a lost put is refused, and its answer arrives
            return now == 0 && verb.exchange > 0 ? new Cut(0, end) : Cut.NONE;
        });
        try {
            verb.operation.run(store);
        } catch (Exception | AssertionError e) {
            throw new AssertionError(verb + ", cut after " + length + " bytes (" + end + ", seed " + SEED + ")", e);
        }
        assertTrue(exchanges.get() > verb.exchange, verb + ": expected more exchanges");
        return server.made() > reached.get();
    }

    /** Of each three answers in succession, a random one is cut at a random byte. */
    @Test
    void moves_loseNothing(@TempDir Path folder) throws Exception {
        Random random = new Random(SEED);
        int[] values = new int[64 * 64];
        Arrays.setAll(values, i -> i);
        try (CutServer server = CutServer.before(bucket.endpoint());
                Store store = bucket.behind(server.uri());
                Store direct = bucket.store()) {
            for (int round = 0; round < 3; round++) {
                server.cut(Cut.NONE);
                create(direct, values);
                AtomicInteger exchanges = new AtomicInteger();
                server.cuts(asked -> exchanges.getAndIncrement() % 3 == 1 ? random(random) : Cut.NONE);
                try (Store files = FileStore.at(folder.resolve("t" + round))) {
                    Move.of(store, files).run(ZarrOptions.defaults().withDurability(Durability.NONE));
                }
                assertTrue(server.made() > 3, "hardly an answer was cut");
                try (ZarrArray moved =
                        Zarr.openArray(folder.resolve("t" + round).toString())) {
                    assertArrayEquals(values, moved.read().ints(), "seed " + SEED);
                }
                assertTrue(Zarr.find(direct, "", ZarrOptions.defaults()).isEmpty(), "the source is there");
            }
        }
    }

    /** Stores over the bucket, with the path of the array in them. */
    private enum Over {
        ARCHIVE,
        CACHE;

        Store open(Store bucket, Path folder) throws IOException {
            return this == ARCHIVE
                    ? ZipStore.builder(bucket, "a.zip").open()
                    : CachedStore.builder(bucket, folder).identity("cuts").open();
        }
    }

    /** Each answer to a read is cut, first the first one, then the second. What a cache keeps is right, too. */
    @ParameterizedTest
    @EnumSource(Over.class)
    void archivesAndCaches_areRight_whereverAnAnswerEnds(Over over, @TempDir Path folder) throws Exception {
        int[] values = new int[64 * 64];
        Arrays.setAll(values, i -> i);
        int stride = Rounds.stride(1600);
        int offset = new Random(SEED).nextInt(stride);
        int made = 0;
        try (CutServer server = CutServer.before(bucket.endpoint());
                Store direct = bucket.store()) {
            create(direct, values);
            try (ZarrArray array = Zarr.openArray(direct, "", ZarrOptions.defaults());
                    Store zip = ZipStore.at(folder.resolve("a.zip"))) {
                Copy.of(array).to(zip, ZarrOptions.defaults());
            }
            Bytes archive = Bytes.of(Files.readAllBytes(folder.resolve("a.zip")));
            await(writes(direct).put("a.zip", Content.of(archive), Condition.ANY, Durability.ATOMIC));
            int exchanges = Integer.MAX_VALUE;
            for (int at = 0; at < exchanges; at++) {
                boolean longer = true;
                for (int length = offset; longer; length += stride) {
                    Cut cut = new Cut(length, length % 2 == 0 ? End.CLOSE : End.RESET);
                    AtomicInteger count = new AtomicInteger();
                    int target = at;
                    server.cuts(asked -> count.getAndIncrement() == target ? cut : Cut.NONE);
                    Path cache = folder.resolve(at + "-" + length);
                    assertRead(over, server, cache, values, "answer " + at + ", " + cut + ", seed " + SEED);
                    longer = server.made() > 0;
                    made += server.made();
                    exchanges = longer ? exchanges : count.get();
                    server.cut(Cut.NONE);
                    if (over == Over.CACHE) {
                        assertRead(over, server, cache, values, "kept, answer " + at + ", " + cut + ", seed " + SEED);
                    }
                }
            }
        }
        System.out.printf(
                "%s, %s: %d cuts, stride %d, seed %d%n", bucket.location().getScheme(), over, made, stride, SEED);
        assertTrue(made > 5, "hardly an answer was cut");
    }

    private void assertRead(Over over, CutServer server, Path cache, int[] values, String where) throws IOException {
        try (Store store = bucket.behind(server.uri());
                Store above = over.open(store, cache);
                ZarrArray array =
                        Zarr.openArray(above, "", ZarrOptions.defaults().withCacheBytes(0))) {
            assertArrayEquals(values, array.read().ints(), where);
        } catch (RuntimeException e) {
            throw new AssertionError(over + ", " + where, e);
        }
    }

    private static void create(Store store, int[] values) {
        ArraySpec spec = ArraySpec.of("int32", 64, 64).withChunkShape(8, 64).withCodecs(Codecs.bytesLittleEndian());
        try (ZarrArray array = Zarr.createArray(store, "", spec, IfExists.OVERWRITE, ZarrOptions.defaults())) {
            array.write(array.domain(), values, 0);
        }
    }

    private static synchronized Cut random(Random random) {
        return new Cut(random.nextInt(500), random.nextBoolean() ? End.CLOSE : End.RESET);
    }
}
