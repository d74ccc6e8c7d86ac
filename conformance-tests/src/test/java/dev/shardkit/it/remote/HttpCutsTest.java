package dev.shardkit.it.remote;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.cache.CachedStore;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.http.HttpStore;
import dev.shardkit.store.http.RetryPolicy;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.store.zip.ZipStore;
import dev.shardkit.testkit.internal.Rounds;
import dev.shardkit.testkit.server.CutServer;
import dev.shardkit.testkit.server.CutServer.Cut;
import dev.shardkit.testkit.server.CutServer.End;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Arrays on a web server, alone, in a ZIP archive and through a cache, whose answers end after any byte of head and
 * body. Every read must be right. {@code -Dshardkit.rounds=400} cuts each answer at each byte; by default, the bytes
 * are tried in steps, from an offset that the seed chooses.
 */
@Timeout(1200)
class HttpCutsTest {
    private static final int STRIDE = Rounds.stride(400);
    private static final long SEED = Long.getLong("shardkit.cuts.seed", System.nanoTime());
    private static final ZarrOptions UNFORCED = ZarrOptions.defaults().withDurability(Durability.NONE);
    private static final Pattern RANGE = Pattern.compile("bytes=(\\d*)-(\\d*)");

    @TempDir
    private static Path folder;

    /** How the server tells the end of a body. */
    private enum Framing {
        LENGTH,
        CHUNKS,
        /** By the end of the connection, for whole objects; ranges have a length. */
        CLOSE
    }

    /** Serves a folder, with ranges and ETags. */
    private record Folder(Path root, Framing framing) implements CutServer.Answers {
        @Override
        public byte[] to(CutServer.Asked asked) throws IOException {
            Path file = root.resolve(URI.create(asked.target()).getPath().substring(1));
            if (!Files.isRegularFile(file)) {
                return "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
            }
            byte[] object = Files.readAllBytes(file);
            String head = "ETag: \"" + Arrays.hashCode(object) + "\"\r\n";
            Matcher range = RANGE.matcher(asked.headers().getOrDefault("range", ""));
            if (!range.matches()) {
                return answer("200 OK", head, framing, object);
            }
            boolean suffix = range.group(1).isEmpty();
            int first = suffix
                    ? Math.max(0, object.length - Integer.parseInt(range.group(2)))
                    : Integer.parseInt(range.group(1));
            int end = suffix ? object.length : Math.min(object.length, Integer.parseInt(range.group(2)) + 1);
            head += "Content-Range: bytes " + first + "-" + (end - 1) + "/" + object.length + "\r\n";
            Framing framed = framing == Framing.CLOSE ? Framing.LENGTH : framing;
            return answer("206 Partial Content", head, framed, Arrays.copyOfRange(object, first, end));
        }

        private static byte[] answer(String status, String head, Framing framing, byte[] body) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            String frame =
                    switch (framing) {
                        case LENGTH -> "Content-Length: " + body.length;
                        case CHUNKS -> "Transfer-Encoding: chunked";
                        case CLOSE -> "Connection: close";
                    };
            all.writeBytes(
                    ("HTTP/1.1 " + status + "\r\n" + head + frame + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            if (framing == Framing.CHUNKS && body.length > 1) {
                chunk(all, Arrays.copyOf(body, body.length / 2));
                chunk(all, Arrays.copyOfRange(body, body.length / 2, body.length));
            } else if (framing == Framing.CHUNKS) {
                chunk(all, body);
            } else {
                all.writeBytes(body);
            }
            if (framing == Framing.CHUNKS) {
                all.writeBytes("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            }
            return all.toByteArray();
        }

        private static void chunk(ByteArrayOutputStream all, byte[] part) {
            if (part.length > 0) {
                all.writeBytes(String.format("%06x\r\n", part.length).getBytes(StandardCharsets.US_ASCII));
                all.writeBytes(part);
                all.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
            }
        }
    }

    private static int[] values() {
        int[] values = new int[32 * 32];
        Arrays.setAll(values, i -> i + 1);
        return values;
    }

    private static synchronized void write() throws IOException {
        if (Files.exists(folder.resolve("a.zip"))) {
            return;
        }
        ArraySpec spec = ArraySpec.of("int32", 32, 32).withChunkShape(8, 32).withCodecs(Codecs.bytesLittleEndian());
        for (String path : new String[] {"chunks", "shards"}) {
            try (Store store = FileStore.at(folder);
                    ZarrArray array = Zarr.createArray(
                            store,
                            path,
                            path.equals("shards") ? spec.withShardShape(16, 32) : spec,
                            IfExists.REFUSE,
                            UNFORCED)) {
                array.write(array.domain(), values(), 0);
            }
        }
        try (ZarrArray array = Zarr.openArray(folder.resolve("shards").toString());
                Store zip = Zarr.openStore("zip:" + folder.resolve("a.zip") + "!", UNFORCED)) {
            Copy.of(array).to(zip, UNFORCED);
        }
    }

    private static HttpStore store(CutServer server) {
        return HttpStore.builder(server.uri())
                .retries(new RetryPolicy(6, Duration.ofMillis(1), Duration.ofMillis(4)))
                .build();
    }

    private static void assertRead(Store store, String path, Supplier<String> where) {
        try (ZarrArray array =
                Zarr.openArray(store, path, ZarrOptions.defaults().withCacheBytes(0))) {
            assertArrayEquals(values(), array.read().ints(), where);
        } catch (RuntimeException e) {
            throw new AssertionError(where.get(), e);
        }
    }

    /** Each answer of a read is cut at each byte: first the first one, then the second. */
    @ParameterizedTest
    @EnumSource(
            value = Framing.class,
            names = {"LENGTH", "CHUNKS"})
    void readsAreRight_whereverAnAnswerEnds(Framing framing) throws Exception {
        write();
        int offset = new Random(SEED).nextInt(STRIDE);
        int made = 0;
        try (CutServer server = CutServer.answering(new Folder(folder, framing));
                Store store = store(server)) {
            for (String path : new String[] {"chunks", "shards"}) {
                int exchanges = Integer.MAX_VALUE;
                for (int at = 0; at < exchanges; at++) {
                    boolean longer = true;
                    for (int length = offset; longer; length += STRIDE) {
                        AtomicInteger count = new AtomicInteger();
                        Cut cut = new Cut(length, length % 2 == 0 ? End.CLOSE : End.RESET);
                        int target = at;
                        server.cuts(asked -> count.getAndIncrement() == target ? cut : Cut.NONE);
                        assertRead(store, path, () -> path + ", answer " + target + " " + cut + ", seed " + SEED);
                        longer = server.made() > 0;
                        made += server.made();
                        exchanges = longer ? exchanges : count.get();
                    }
                }
            }
        }
        System.out.printf("%s: %d answers cut, stride %d, seed %d%n", framing, made, STRIDE, SEED);
        assertTrue(made > 5, "hardly an answer was cut");
    }

    /** Of each three answers in succession, one ends anywhere. What the cache keeps is right, too. */
    @ParameterizedTest
    @EnumSource(
            value = Framing.class,
            names = {"LENGTH", "CHUNKS"})
    void archivesAndCaches_areRight(Framing framing, @TempDir Path kept) throws Exception {
        write();
        Random random = new Random(SEED);
        try (CutServer server = CutServer.answering(new Folder(folder, framing))) {
            for (int round = 0; round < Rounds.of(2); round++) {
                Map<String, Integer> counts = new HashMap<>();
                server.cuts(asked -> {
                    synchronized (counts) {
                        return counts.merge("", 1, Integer::sum) % 3 == 1
                                ? new Cut(random.nextInt(600), random.nextBoolean() ? End.CLOSE : End.RESET)
                                : Cut.NONE;
                    }
                });
                String where = "round " + round + ", seed " + SEED;
                try (Store zip = ZipStore.builder(store(server), "a.zip").open()) {
                    assertRead(zip, "", () -> where);
                }
                Path cache = kept.resolve("c" + round);
                for (int i = 0; i < 2; i++) {
                    try (Store cached = CachedStore.of(store(server), cache, 1 << 20)) {
                        assertRead(cached, "shards", () -> where);
                        assertRead(cached, "chunks", () -> where);
                    }
                    server.cut(Cut.NONE);
                }
            }
        }
    }

    /** Nothing but an earlier answer tells the size of a body that ends with the connection. */
    @Test
    void bodyThatEndsWithTheConnection_isComparedWithTheSizeThatIsKnown() throws Exception {
        write();
        try (CutServer server = CutServer.answering(new Folder(folder, Framing.CLOSE));
                HttpStore store = store(server)) {
            FetchResult.Found sized = assertInstanceOf(FetchResult.Found.class, get(store, new ByteRange.Slice(0, 8)));
            assertEquals(1024, sized.objectSize());
            AtomicInteger count = new AtomicInteger();
            server.cuts(asked -> count.getAndIncrement() == 0 ? new Cut(500, End.CLOSE) : Cut.NONE);
            FetchResult.Found whole = assertInstanceOf(FetchResult.Found.class, get(store, ByteRange.whole(4096)));
            assertEquals(1024, whole.bytes().size());
            assertEquals(2, count.get());
            server.cut(new Cut(500, End.CLOSE));
            ExecutionException e = assertThrows(ExecutionException.class, () -> get(store, ByteRange.whole(4096)));
            assertInstanceOf(StoreException.class, e.getCause());
            assertTrue(
                    e.getCause().getMessage().contains("expected 1024 bytes"),
                    e.getCause().getMessage());
        }
    }

    private static FetchResult get(RemoteReads reads, ByteRange range) throws Exception {
        return reads.fetch("chunks/c/1/0", range, Optional.empty(), StoreListener.NONE)
                .get(300, TimeUnit.SECONDS);
    }
}
