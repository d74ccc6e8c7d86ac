package dev.shardkit.serve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.array.Box;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DataServerTest extends ServedObjects {
    @Test
    void get_returnsTheObject() throws IOException {
        RawHttp.Reply reply = RawHttp.get(server, "/bytes");
        assertEquals(200, reply.status());
        assertArrayEquals(CONTENT, reply.body());
        assertEquals("bytes", reply.header("accept-ranges"));
        assertEquals("application/octet-stream", reply.header("content-type"));
        assertEquals("nosniff", reply.header("x-content-type-options"));
        assertEquals(
                "application/json", RawHttp.get(server, "/deep/zarr.json?query").header("content-type"));
        RawHttp.Reply empty = RawHttp.get(server, "/empty");
        assertEquals(200, empty.status());
        assertEquals("0", empty.header("content-length"));
    }

    @Test
    void head_returnsTheHeadersOfGet() throws IOException {
        try (RawHttp http = RawHttp.to(server)) {
            RawHttp.Reply reply = http.ask("HEAD", "/bytes");
            assertEquals(200, reply.status());
            assertEquals("600000", reply.header("content-length"));
            RawHttp.Reply part = http.ask("HEAD", "/bytes", "Range: bytes=10-19");
            assertEquals(206, part.status());
            assertEquals("10", part.header("content-length"));
            assertEquals(404, http.ask("HEAD", "/missing").status());
            RawHttp.Reply after = http.ask("GET", "/deep/zarr.json");
            assertEquals("{}", after.text(), "the connection is still usable");
            assertEquals(reply.header("etag"), http.ask("GET", "/bytes").header("etag"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "bytes=0-0, 0, 1",
        "bytes=5-9, 5, 10",
        "BYTES=599999-, 599999, 600000",
        "bytes=300000-99999999999999999999999, 300000, 600000",
        "bytes=-7, 599993, 600000",
        "bytes=-99999999999999999999999, 0, 600000",
        "bytes=000000000000000000000000005-9, 5, 10",
    })
    void range_returnsThatPart(String range, int from, int to) throws IOException {
        RawHttp.Reply reply = RawHttp.get(server, "/bytes", "Range: " + range);
        assertEquals(206, reply.status());
        assertEquals("bytes " + from + "-" + (to - 1) + "/600000", reply.header("content-range"));
        assertArrayEquals(Arrays.copyOfRange(CONTENT, from, to), reply.body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=600000-", "bytes=99999999999999999999999-", "bytes=-0", "bytes=700000-700001"})
    void range_beyondTheObject_is416(String range) throws IOException {
        RawHttp.Reply reply = RawHttp.get(server, "/bytes", "Range: " + range);
        assertEquals(416, reply.status());
        assertEquals("bytes */600000", reply.header("content-range"));
        assertEquals(416, RawHttp.get(server, "/empty", "Range: bytes=0-").status());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"bytes=9-5", "bytes=-", "bytes=a-b", "rows=1-2", "bytes=0-1,4-5", "", "bytes=--1", "bytes=1"})
    void range_thatIsWrong_isIgnored(String range) throws IOException {
        RawHttp.Reply reply = RawHttp.get(server, "/bytes", "Range: " + range);
        assertEquals(200, reply.status());
        assertEquals(CONTENT.length, reply.body().length);
    }

    @Test
    void conditions_followTheEntityTag() throws IOException {
        String tag = RawHttp.get(server, "/bytes").header("etag");
        assertTrue(tag.matches("\"[0-9a-f]{32}\""), tag);
        assertEquals(304, RawHttp.get(server, "/bytes", "If-None-Match: " + tag).status());
        assertEquals(
                304,
                RawHttp.get(server, "/bytes", "If-None-Match: \"x\", W/" + tag).status());
        assertEquals(304, RawHttp.get(server, "/bytes", "If-None-Match: *").status());
        assertEquals(200, RawHttp.get(server, "/bytes", "If-None-Match: \"x\"").status());
        assertEquals(
                206,
                RawHttp.get(server, "/bytes", "If-Range: " + tag, "Range: bytes=0-1")
                        .status());
        assertEquals(
                200,
                RawHttp.get(server, "/bytes", "If-Range: W/" + tag, "Range: bytes=0-1")
                        .status());
        assertEquals(412, RawHttp.get(server, "/bytes", "If-Match: \"x\"").status());
        assertEquals(200, RawHttp.get(server, "/bytes", "If-Match: " + tag).status());
        Files.writeString(folder.resolve("data/bytes"), "other");
        RawHttp.Reply changed = RawHttp.get(server, "/bytes", "If-None-Match: " + tag);
        assertEquals("other", changed.text());
        assertNotEquals(tag, changed.header("etag"));
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "names have no quotes and no angle brackets")
    void listing_hasNamesBelowThePrefix() throws IOException {
        Files.writeString(folder.resolve("data/a <b>&\"'"), "odd");
        RawHttp.Reply html = RawHttp.get(server, "/");
        assertEquals(200, html.status());
        assertTrue(html.text().contains("<a href=\"deep/\">deep/</a>"), html.text());
        assertTrue(
                html.text().contains("<a href=\"a%20%3Cb%3E%26%22%27\">a &lt;b&gt;&amp;&quot;&#39;</a>"), html.text());
        assertEquals("odd", RawHttp.get(server, "/a%20%3Cb%3E%26%22%27").text());
        assertEquals(
                "{\"prefix\":\"deep\",\"entries\":[{\"name\":\"zarr.json\",\"kind\":\"object\"}]}",
                RawHttp.get(server, "/deep/", "Accept: application/json").text());
        RawHttp.Reply head = RawHttp.request(server, "HEAD", "/");
        assertEquals(String.valueOf(html.body().length), head.header("content-length"));
        assertEquals(404, RawHttp.get(server, "/missing/").status());
        assertEquals(404, RawHttp.get(server, "/deep").status(), "a folder is not an object");
    }

    @Test
    void listing_ofTooManyEntries_isRefused() throws IOException {
        ListingHandler few = new ListingHandler(BlockingStore.to(store), 2);
        HttpError refused = assertThrows(HttpError.class, () -> few.send("", null));
        assertEquals(403, refused.status());
        assertTrue(refused.getMessage().contains("more than 2 entries"), refused.getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/../secret",
                "/%2e%2e/secret",
                "/%2E%2E%2Fsecret",
                "/deep/%2e%2e/%2e%2e/secret",
                "/..%2fsecret",
                "/..%5csecret",
                "/%2e/bytes",
                "/.../bytes",
                "/%252e%252e/secret",
                "/bytes%00",
                "/deep%2fzarr.json",
                "/deep//zarr.json",
                "//deep/zarr.json",
                "/deep/__shardkit/lock",
                "/deep/%5F%5Fshardkit/lock",
                "/deep/__shardkit/",
                "/%c0%ae%c0%ae/secret",
                "/%ff",
                "/%zz",
                "/%",
                "/\u00e9",
                "secret",
                "http://127.0.0.1/bytes",
                "file:///etc/passwd",
                "*"
            })
    void path_thatLeadsElsewhere_isRefused(String path) throws IOException {
        RawHttp.Reply reply = RawHttp.get(server, path);
        assertTrue(reply.status() == 404 || reply.status() == 400, path + ": " + reply.status());
        assertFalse(reply.text().contains("secret"), reply.text());
        assertFalse(reply.text().contains(folder.toString()), reply.text());
    }

    /** A store that finds no memory. */
    private record Full() implements Store, LocalReads {
        @Override
        public String describe() {
            return "full:";
        }

        @Override
        public Reads reads() {
            return this;
        }

        @Override
        public Optional<ObjectSnapshot> open(String key) {
            throw new OutOfMemoryError("for a test");
        }
    }

    private void array(String name, int value) {
        ArraySpec spec = ArraySpec.of("uint8", 4).withChunkShape(2);
        try (ZarrArray array = Zarr.createArray(store, name, spec, IfExists.REFUSE, ZarrOptions.defaults())) {
            array.write(Box.of(new long[] {0}, new long[] {2}), new byte[] {(byte) value, 1}, 0);
        }
    }

    /** Clients such as fsspec send the names of nodes as they are; a 404 would be the fill value for them. */
    @Test
    void nameWithPercent_isFoundEncodedAndAsItIs() throws IOException {
        array("a%2Fb", 7);
        array("x%20y", 8);
        for (String root : List.of("/", "/__v3/")) {
            for (String name : List.of("a%252Fb", "a%2Fb", "x%2520y", "x%20y")) {
                assertEquals(
                        200, RawHttp.get(server, root + name + "/zarr.json").status(), root + name);
                assertEquals(200, RawHttp.get(server, root + name + "/c/0").status(), root + name);
                assertEquals(404, RawHttp.get(server, root + name + "/c/1").status(), "a chunk that is not stored");
            }
        }
        array("x y", 9);
        assertEquals(404, RawHttp.get(server, "/x%20y/c/1").status(), "the decoded name is that of a node");
        try (ZarrArray literal = Zarr.openArray(store, "x%20y", ZarrOptions.defaults())) {
            literal.write(Box.of(new long[] {2}, new long[] {2}), new byte[] {5, 5}, 0);
        }
        assertEquals(404, RawHttp.get(server, "/x%20y/c/1").status(), "a client that encodes gets no other node");
        assertEquals(200, RawHttp.get(server, "/x%2520y/c/1").status());
        assertEquals(404, RawHttp.get(server, "/..%2Fsecret").status());
    }

    @Test
    void missingMemory_isUnavailable() throws IOException {
        List<String> failures = new CopyOnWriteArrayList<>();
        try (DataServer small =
                DataServer.start(new Full(), ServerOptions.defaults().withFailures(failures::add))) {
            assertEquals(503, RawHttp.get(small, "/k").status());
        }
        assertTrue(failures.toString().contains("OutOfMemoryError"), failures::toString);
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "there are no named pipes in folders")
    void pipe_isNoObject_andIsNeverWaitedFor() throws Exception {
        String pipe = folder.resolve("data/pipe").toString();
        assertEquals(0, new ProcessBuilder("mkfifo", pipe).start().waitFor());
        for (String path : List.of("/pipe", "/pipe/", "/__view/node/pipe", "/__v3/pipe/zarr.json")) {
            assertEquals(404, RawHttp.get(server, path).status(), path);
        }
    }

    /** An array of Zarr v3 as GDAL before 3.11 wrote it. */
    @Test
    void whatIsReadLeniently_isNotedOnce() throws IOException {
        Files.createDirectories(folder.resolve("data/gdal"));
        Files.writeString(
                folder.resolve("data/gdal/zarr.json"),
                "{\"zarr_format\":3,\"node_type\":\"array\",\"shape\":[2],\"data_type\":\"uint8\",\"fill_value\":0,"
                        + "\"chunk_grid\":{\"name\":\"regular\",\"configuration\":{\"chunk_shape\":[2]}},"
                        + "\"chunk_key_encoding\":{\"name\":\"default\"},\"codecs\":[]}");
        List<String> notes = new CopyOnWriteArrayList<>();
        try (DataServer telling =
                DataServer.start(store, ServerOptions.defaults().withFailures(notes::add))) {
            for (String path :
                    List.of("/__v3/gdal/zarr.json", "/__v3/gdal/c/0", "/__view/node/gdal", "/__v3/gdal/zarr.json")) {
                RawHttp.get(telling, path);
            }
        }
        assertEquals(1, notes.size(), notes::toString);
        assertTrue(
                notes.get(0).startsWith("/gdal: note: is not read exactly as it is stored: /codecs"), notes::toString);
    }

    @Test
    void link_outOfTheFolder_isRefused() throws IOException {
        Files.createSymbolicLink(folder.resolve("data/out"), folder.resolve("secret"));
        assumeTrue(Files.isSymbolicLink(folder.resolve("data/out")), "no symbolic links");
        Files.createSymbolicLink(folder.resolve("data/up"), folder);
        Files.createSymbolicLink(folder.resolve("data/lock"), folder.resolve("data/deep/__shardkit"));
        Files.createSymbolicLink(folder.resolve("data/inside"), folder.resolve("data/bytes"));
        List<String> failures = new CopyOnWriteArrayList<>();
        try (DataServer logging =
                DataServer.start(store, ServerOptions.defaults().withFailures(failures::add))) {
            for (String path : List.of(
                    "/out", "/up/secret", "/lock/lock", "/up/", "/lock/", "/__view/node/up", "/__v3/up/zarr.json")) {
                RawHttp.Reply reply = RawHttp.get(logging, path);
                assertEquals(404, reply.status(), path);
                assertFalse(reply.text().contains("secret"), reply.text());
                assertFalse(reply.text().contains(folder.toString()), reply.text());
            }
            assertEquals(List.of(), failures, "no failure of the store");
            assertFalse(RawHttp.get(logging, "/").text().contains("out"));
            assertEquals(CONTENT.length, RawHttp.get(logging, "/inside").body().length);
        }
    }

    @Test
    void port_inUse_isOneClearError() {
        int port = server.url().getPort();
        BindException e = assertThrows(
                BindException.class,
                () -> DataServer.start(store, ServerOptions.defaults().withPort(port)));
        assertTrue(e.getMessage().startsWith("cannot listen on port " + port + " of 127.0.0.1"), e.getMessage());
    }

    @Test
    void closed_freesThePort() throws IOException {
        int port = server.url().getPort();
        server.close();
        try (DataServer next = DataServer.start(store, ServerOptions.defaults().withPort(port))) {
            assertEquals(200, RawHttp.get(next, "/deep/zarr.json").status());
        }
    }

    @Test
    void shardkit_readsServedArrays() {
        int[] values = IntStream.range(0, 64).toArray();
        try (ZarrArray array = Zarr.createArray(
                folder.resolve("data/array").toString(),
                ArraySpec.of("int32", 8, 8).withShardShape(8, 4).withChunkShape(2, 2))) {
            array.write(array.domain(), values, 0);
        }
        try (ZarrArray array = Zarr.openArray(server.url() + "array")) {
            assertArrayEquals(values, array.read().ints());
        }
    }
}
