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
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.azure.AzureStore;
import dev.shardkit.store.file.FileStore;
import dev.shardkit.store.gcs.GcsStore;
import dev.shardkit.store.http.ForbiddenPolicy;
import dev.shardkit.store.http.HttpStore;
import dev.shardkit.store.http.RetryPolicy;
import dev.shardkit.store.policy.Durability;
import dev.shardkit.store.s3.AccessKey;
import dev.shardkit.store.s3.S3Store;
import dev.shardkit.testkit.server.CutServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Objects that are stored with {@code Content-Encoding: gzip}, and servers that answer 403 for missing objects. */
@Timeout(300)
class EncodedObjectsTest {
    private static final Pattern RANGE = Pattern.compile("bytes=(\\d*)-(\\d*)");

    private static final ZarrOptions UNFORCED = ZarrOptions.defaults().withDurability(Durability.NONE);

    /** The stores that read from the server of the test. */
    private enum Kind {
        HTTP,
        S3,
        GCS,
        AZURE;

        Store open(URI server, ForbiddenPolicy forbidden) {
            RetryPolicy retries = new RetryPolicy(3, Duration.ofMillis(1), Duration.ofMillis(2));
            return switch (this) {
                case HTTP ->
                    HttpStore.builder(server.resolve("/root"))
                            .forbidden(forbidden)
                            .retries(retries)
                            .build();
                case S3 ->
                    S3Store.builder(URI.create("s3://bucket/root"))
                            .endpoint(server)
                            .region("us-east-1")
                            .credentials(AccessKey.of("key", "secret"))
                            .forbidden(forbidden)
                            .retries(retries)
                            .build();
                case GCS ->
                    GcsStore.builder(URI.create("gs://bucket/root"))
                            .endpoint(server)
                            .anonymous()
                            .forbidden(forbidden)
                            .retries(retries)
                            .build();
                case AZURE ->
                    AzureStore.builder(URI.create("az://box/root"))
                            .account("account")
                            .endpoint(server)
                            .anonymous()
                            .forbidden(forbidden)
                            .retries(retries)
                            .build();
            };
        }
    }

    /** How the server sends an object that is stored compressed. */
    private enum Habit {
        /** Ranges are those of the stored form, as on S3 and Azure. */
        STORED,
        /** Ranges are ignored. */
        WHOLE,
        /** The same, in chunks without a length. */
        CHUNKED,
        /** The server decodes the object, ignores ranges, and sends no length, as Google does. */
        TRANSCODED
    }

    /** A server of the objects of a folder. */
    private static final class Objects implements CutServer.Answers {
        private final Map<String, byte[]> stored = new HashMap<>();
        private final Map<String, byte[]> plain = new HashMap<>();
        private Habit habit = Habit.STORED;
        private int missing = 404;

        Objects(Path folder) throws IOException {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    put(folder.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
                }
            }
        }

        void put(String key, byte[] object) throws IOException {
            plain.put(key, object);
            stored.put(key, gzip(object));
        }

        @Override
        public synchronized byte[] to(CutServer.Asked asked) {
            String path = URLDecoder.decode(asked.target().replaceAll("\\?.*", ""), StandardCharsets.UTF_8);
            String key = path.substring(path.indexOf("/root/") + 6);
            byte[] object = stored.get(key);
            if (object == null) {
                String code = path.startsWith("/bucket") ? "AccessDenied" : "AuthorizationFailure"; // of S3, of Azure
                String body = missing == 403 ? "<Error><Code>" + code + "</Code></Error>" : "";
                return answer(missing + " No", "", body.getBytes(StandardCharsets.US_ASCII));
            }
            CRC32 sum = new CRC32();
            sum.update(object);
            String head = "ETag: \"" + sum.getValue() + "\"\r\nX-Goog-Generation: " + sum.getValue() + "\r\n"
                    + "X-Goog-Stored-Content-Encoding: gzip\r\n";
            if (habit == Habit.TRANSCODED) {
                return chunked(head, plain.get(key));
            }
            head += "Content-Encoding: gzip\r\n";
            Matcher range = RANGE.matcher(asked.headers().getOrDefault("range", ""));
            if (habit != Habit.STORED || !range.matches()) {
                return habit == Habit.CHUNKED ? chunked(head, object) : answer("200 OK", head, object);
            }
            boolean suffix = range.group(1).isEmpty();
            int first = suffix
                    ? Math.max(0, object.length - Integer.parseInt(range.group(2)))
                    : (int) Math.min(object.length, Long.parseLong(range.group(1)));
            int end = suffix || range.group(2).isEmpty()
                    ? object.length
                    : (int) Math.min(object.length, Long.parseLong(range.group(2)) + 1);
            if (first >= end) {
                return answer(
                        "416 Range Not Satisfiable", "Content-Range: bytes */" + object.length + "\r\n", new byte[0]);
            }
            head += "Content-Range: bytes " + first + "-" + (end - 1) + "/" + object.length + "\r\n";
            return answer("206 Partial Content", head, Arrays.copyOfRange(object, first, end));
        }

        private static byte[] answer(String status, String head, byte[] body) {
            return bytes("HTTP/1.1 " + status + "\r\n" + head + "Content-Length: " + body.length + "\r\n\r\n", body);
        }

        private static byte[] chunked(String head, byte[] body) {
            return bytes(
                    "HTTP/1.1 200 OK\r\n" + head + "Transfer-Encoding: chunked\r\n\r\n"
                            + Integer.toHexString(body.length) + "\r\n",
                    body,
                    "\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        }

        private static byte[] bytes(String head, byte[]... bodies) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            all.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
            List.of(bodies).forEach(all::writeBytes);
            return all.toByteArray();
        }
    }

    private static byte[] gzip(byte[] object) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(object);
        }
        return packed.toByteArray();
    }

    private static Stream<Arguments> ways() {
        return Stream.of(Kind.values())
                .flatMap(kind -> Stream.of(Habit.values()).map(habit -> Arguments.of(kind, habit)))
                .filter(way -> way.get()[1] != Habit.TRANSCODED || way.get()[0] == Kind.GCS);
    }

    private static int[] values() {
        int[] values = new int[64 * 64];
        Arrays.setAll(values, i -> i / 7);
        return values;
    }

    private static void write(Path folder, String path, ArraySpec spec) {
        try (Store store = FileStore.at(folder);
                ZarrArray array = Zarr.createArray(store, path, spec, IfExists.REFUSE, UNFORCED)) {
            array.write(array.domain(), values(), 0);
        }
    }

    private static ArraySpec spec() {
        return ArraySpec.of("int32", 64, 64).withChunkShape(8, 8).withCodecs(Codecs.bytesLittleEndian());
    }

    private static void write(Path folder) throws IOException {
        write(folder, "chunks", spec());
        write(folder, "shards", spec().withShardShape(32, 32));
        write(folder, "start", spec().withShardShape(32, 32).withIndexLocation(IndexLocation.START));
        Files.createDirectories(folder.resolve("v2/c"));
        Files.writeString(folder.resolve("v2/.zarray"), """
                {"zarr_format": 2, "shape": [4], "chunks": [4], "dtype": "<i4", "compressor": null, "fill_value": 0,
                 "order": "C", "filters": null}""");
        Files.write(folder.resolve("v2/0"), new byte[] {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0});
        Files.createDirectories(folder.resolve("ng/s"));
        Files.writeString(folder.resolve("ng/info"), """
                {"@type": "neuroglancer_multiscale_volume", "type": "image", "data_type": "uint8", "num_channels": 1,
                 "scales": [{"key": "s", "size": [2, 1, 1], "resolution": [1, 1, 1], "chunk_sizes": [[2, 1, 1]],
                 "encoding": "raw"}]}""");
        Files.write(folder.resolve("ng/s/0-2_0-1_0-1"), new byte[] {7, 9});
    }

    @ParameterizedTest
    @MethodSource("ways")
    void arraysAndDocuments_areDecoded(Kind kind, Habit habit, @TempDir Path folder) throws Exception {
        write(folder);
        Objects objects = new Objects(folder);
        objects.habit = habit;
        try (CutServer server = CutServer.answering(objects);
                Store store = kind.open(server.uri(), ForbiddenPolicy.REFUSE)) {
            for (String path : List.of("chunks", "shards", "start")) {
                try (ZarrArray array = Zarr.openArray(store, path, ZarrOptions.defaults())) {
                    assertArrayEquals(values(), array.read().ints(), path);
                }
                try (ZarrArray array =
                        Zarr.openArray(store, path, ZarrOptions.defaults().withCacheBytes(0))) {
                    int[] part = array.read(Box.of(new long[] {40, 9}, new long[] {1, 3}))
                            .ints();
                    assertArrayEquals(Arrays.copyOfRange(values(), 40 * 64 + 9, 40 * 64 + 12), part, path);
                }
            }
            try (ZarrArray array = Zarr.openArray(store, "v2", ZarrOptions.defaults())) {
                assertArrayEquals(new int[] {1, 2, 3, 4}, array.read().ints());
            }
        }
        if (kind == Kind.HTTP) {
            try (CutServer server = CutServer.answering(objects);
                    ZarrArray array = Zarr.openArray("neuroglancer:" + server.uri() + "/root/ng/s")) {
                assertArrayEquals(new byte[] {7, 9}, array.read().bytes());
            }
        }
    }

    /** The encoded form is shorter than the offset: the server refuses the range of the first request. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void rangesOfTheDecodedObject_areFound_alsoPastTheEndOfTheStoredForm(Kind kind, @TempDir Path folder)
            throws Exception {
        byte[] object = new byte[100_000];
        for (int i = 0; i < object.length; i++) {
            object[i] = (byte) (i >> 10);
        }
        Objects objects = new Objects(folder);
        objects.put("long", object);
        try (CutServer server = CutServer.answering(objects);
                Store store = kind.open(server.uri(), ForbiddenPolicy.REFUSE)) {
            RemoteReads reads = (RemoteReads) store.reads();
            ByteRange inside = new ByteRange.Slice(90_000, 100);
            assertRead(reads, inside, Arrays.copyOfRange(object, 90_000, 90_100), object.length);
            assertRead(reads, new ByteRange.Suffix(10), Arrays.copyOfRange(object, 99_990, 100_000), object.length);
            assertRead(reads, new ByteRange.Suffix(0), new byte[0], object.length);
            assertRead(reads, ByteRange.whole(1 << 20), object, object.length);
            ExecutionException e =
                    assertThrows(ExecutionException.class, () -> get(reads, new ByteRange.Slice(99_950, 100)));
            assertInstanceOf(ZarrException.class, e.getCause());
            assertTrue(
                    e.getCause().getMessage().contains("past the end"),
                    e.getCause().getMessage());
        }
    }

    private static void assertRead(RemoteReads reads, ByteRange range, byte[] expected, long size) throws Exception {
        FetchResult.Found found = assertInstanceOf(FetchResult.Found.class, get(reads, range));
        assertArrayEquals(expected, found.bytes().toArray(), range.toString());
        assertEquals(size, found.objectSize(), range.toString());
        assertTrue(found.version().isPresent());
    }

    private static FetchResult get(RemoteReads reads, ByteRange range) throws Exception {
        return reads.fetch("long", range, Optional.empty(), StoreListener.NONE).get(60, TimeUnit.SECONDS);
    }

    /** A megabyte of zeros takes a thousand bytes; the limit of the request counts after decoding. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void bombsAndBrokenStreams_areRefused(Kind kind, @TempDir Path folder) throws Exception {
        Objects objects = new Objects(folder);
        objects.put("long", new byte[1 << 20]);
        try (CutServer server = CutServer.answering(objects);
                Store store = kind.open(server.uri(), ForbiddenPolicy.REFUSE)) {
            RemoteReads reads = (RemoteReads) store.reads();
            ExecutionException e =
                    assertThrows(ExecutionException.class, () -> get(reads, ByteRange.whole((1 << 20) - 1)));
            assertTrue(
                    e.getCause().getMessage().contains("at most 1048575 bytes after"),
                    e.getCause().getMessage());
            byte[] whole = objects.stored.get("long");
            for (byte[] broken : List.of(
                    Arrays.copyOf(whole, whole.length - 1),
                    Arrays.copyOf(whole, 30),
                    new byte[] {1, 2, 3},
                    new byte[0])) {
                objects.stored.put("long", broken);
                e = assertThrows(ExecutionException.class, () -> get(reads, ByteRange.whole(1 << 20)));
                assertInstanceOf(ZarrException.class, e.getCause());
                assertTrue(
                        e.getCause().getMessage().contains("gzip"), e.getCause().getMessage());
            }
        }
    }

    /** Two members are one object (RFC 1952, section 2.2). */
    @Test
    void membersOfOneBody_areJoined(@TempDir Path folder) throws Exception {
        Objects objects = new Objects(folder);
        ByteArrayOutputStream two = new ByteArrayOutputStream();
        two.writeBytes(gzip(new byte[] {1, 2}));
        two.writeBytes(gzip(new byte[] {3}));
        objects.stored.put("long", two.toByteArray());
        try (CutServer server = CutServer.answering(objects);
                Store store = Kind.HTTP.open(server.uri(), ForbiddenPolicy.REFUSE)) {
            assertRead((RemoteReads) store.reads(), ByteRange.whole(10), new byte[] {1, 2, 3}, 3);
        }
    }

    @Test
    void copy_ofEncodedObjects_hasTheValues(@TempDir Path folder, @TempDir Path into) throws Exception {
        write(folder);
        try (CutServer server = CutServer.answering(new Objects(folder));
                Store store = Kind.S3.open(server.uri(), ForbiddenPolicy.REFUSE);
                ZarrArray from = Zarr.openArray(store, "shards", ZarrOptions.defaults())) {
            for (Copy copy : List.of(Copy.of(from), Copy.of(from).withoutShards())) {
                Path target = Files.createTempDirectory(into, "t");
                copy.to(FileStore.at(target), UNFORCED);
                try (ZarrArray copied = Zarr.openArray(target.toString())) {
                    assertArrayEquals(values(), copied.read().ints());
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void forbidden_isAnError_orMissing_asTheCallerSays(Kind kind, @TempDir Path folder) throws Exception {
        write(folder);
        Objects objects = new Objects(folder);
        objects.stored.keySet().removeIf(key -> key.startsWith("chunks/c/1/"));
        objects.missing = 403;
        int[] expected = values();
        Arrays.fill(expected, 8 * 64, 16 * 64, 0);
        try (CutServer server = CutServer.answering(objects)) {
            try (Store store = kind.open(server.uri(), ForbiddenPolicy.MISSING)) {
                try (ZarrArray array = Zarr.openArray(store, "chunks", ZarrOptions.defaults())) {
                    assertArrayEquals(expected, array.read().ints());
                }
                try (ZarrArray array = Zarr.openArray(store, "v2", ZarrOptions.defaults())) { // it has no zarr.json
                    assertArrayEquals(new int[] {1, 2, 3, 4}, array.read().ints());
                }
            }
            try (Store store = kind.open(server.uri(), ForbiddenPolicy.REFUSE);
                    ZarrArray array = Zarr.openArray(store, "chunks", ZarrOptions.defaults())) {
                ZarrException e = assertThrows(ZarrException.class, array::read);
                assertTrue(e.getMessage().contains("HTTP 403"), e.getMessage());
                assertTrue(e.getMessage().contains("ForbiddenPolicy.MISSING"), e.getMessage());
            }
        }
    }
}
