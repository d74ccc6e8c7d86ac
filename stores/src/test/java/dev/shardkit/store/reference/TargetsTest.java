package dev.shardkit.store.reference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.registry.Registry;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import dev.shardkit.testkit.internal.LinksAndPipes;
import dev.shardkit.testkit.server.RangeServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where references may lead, and what is said of those that may not. */
@Timeout(180)
class TargetsTest {
    @TempDir
    Path base;

    private Path own;

    @BeforeEach
    void files() throws IOException {
        own = Files.createDirectories(base.resolve("own"));
        Files.createDirectories(base.resolve("other"));
        Files.write(base.resolve("secret"), new byte[] {1, 2, 3});
        Files.write(base.resolve("other/data"), new byte[] {4, 5, 6});
        Files.write(own.resolve("data"), new byte[] {7, 8, 9});
    }

    /** A path in a URL, whose separators are slashes. */
    private static String path(Path path) {
        return path.toString().replace('\\', '/');
    }

    private Store open(String options, String... urls) throws IOException {
        StringBuilder document = new StringBuilder("{");
        for (int i = 0; i < urls.length; i++) {
            document.append(i == 0 ? "" : ",")
                    .append("\"k")
                    .append(i)
                    .append("\":[\"")
                    .append(urls[i].replace("\\", "\\\\"))
                    .append("\",0,3]");
        }
        Files.writeString(own.resolve("r.json"), document.append("}"));
        return Registry.load()
                .open(URI.create("reference:" + own.resolve("r.json").toUri() + options));
    }

    private static byte[] read(Store store, String key) throws IOException {
        return TargetReads.read(store, key, ByteRange.whole()).orElseThrow().toArray();
    }

    private void refused(String options, String url, Class<? extends ZarrException> type, String saying)
            throws IOException {
        try (Store store = open(options, url)) {
            ZarrException e = assertThrows(ZarrException.class, () -> read(store, "k0"), url);
            assertInstanceOf(type, e, url);
            assertTrue(e.getMessage().contains(saying), e.getMessage());
        }
    }

    @Test
    void ownFolder_isRead_howeverItIsNamed() throws IOException {
        for (String url : new String[] {
            "data",
            "./data",
            "../own/data",
            own.resolve("data").toString(),
            own.resolve("data").toUri().toString(),
            "file://localhost" + own.resolve("data").toUri().getRawPath()
        }) {
            try (Store store = open("", url)) {
                assertArrayEquals(new byte[] {7, 8, 9}, read(store, "k0"), url);
                assertInstanceOf(LocalReads.class, store.reads(), url);
            }
        }
    }

    @Test
    void elsewhere_isRefused() throws IOException {
        for (String url : new String[] {
            "../secret",
            "/etc/passwd",
            "file:///etc/passwd",
            base.resolve("secret").toString(),
            "../own/../secret",
            "./x/../../secret",
            base.resolve("ownership").toString()
        }) {
            refused("", url, StoreException.class, "open the document with #allow=URL");
        }
        refused(
                "",
                "%2e%2e/secret",
                StoreException.class,
                "a reference to a missing object"); // a path is no URL: nothing is decoded
        refused("", own.toUri() + "%2e%2e/secret", StoreException.class, "is not an object");
        refused("", "http://localhost/x", StoreException.class, "#allow=URL");
        refused("", "http://user:pass@host/x?sig=abc", StoreException.class, "http://***@host/x?***");
    }

    @Test
    void link_thatLeadsOut_isRefused() throws IOException {
        LinksAndPipes.link(own.resolve("link"), base.resolve("secret"));
        refused("", "link", StoreException.class, "a symbolic link leads out of");
    }

    @Test
    void allow_opensAFolder_andNoOther() throws IOException {
        String allow = "#allow=" + path(base.resolve("other"));
        try (Store store = open(
                allow,
                base.resolve("other/data").toString(),
                base.resolve("secret").toString())) {
            assertArrayEquals(new byte[] {4, 5, 6}, read(store, "k0"));
            assertThrows(StoreException.class, () -> read(store, "k1"));
        }
        try (Store store = open("#allow=*", base.resolve("secret").toString())) {
            assertArrayEquals(new byte[] {1, 2, 3}, read(store, "k0"));
        }
        assertThrows(IllegalArgumentException.class, () -> open("#allowed=x", "data"));
    }

    @Test
    void unknownSchemes_andLoops_areRefused() throws IOException {
        refused("#allow=*", "gs://bucket/key", UnsupportedException.class, "no store opens \"gs:\" URLs");
        refused("#allow=*", "simplecache::http://x/y", StoreException.class, "#allow=URL");
        refused("#allow=*", "reference:" + path(own.resolve("r.json")), StoreException.class, "#allow=URL");
        assertThrows(IllegalArgumentException.class, () -> Registry.load()
                .open(URI.create("reference:reference:" + path(own.resolve("r.json")))));
    }

    @Test
    void whatIsNotThere_isNoFillValue() throws IOException {
        refused("", "gone", StoreException.class, "a reference to a missing object");
        try (Store store = open("", "data")) {
            assertFalse(TargetReads.read(store, "k1", ByteRange.whole()).isPresent());
        }
    }

    @Test
    void rangesPastTheEnd_areCorrupt() throws IOException {
        Files.write(own.resolve("data"), new byte[2]);
        refused("", "data", CorruptDataException.class, "expected an object of at least 3 bytes, found 2");
    }

    @Test
    void documentsOfAHost_leadThereAndNowhereElse() throws IOException {
        try (RangeServer server = RangeServer.start();
                RangeServer other = RangeServer.start()) {
            server.put(
                    "d/r.json",
                    ("{\"a\":[\"x.bin\",1,2],\"b\":[\"/top.bin\",0,1],\"c\":[\"" + other.uri()
                                    + "/x.bin\",0,1],\"d\":[\"file:///etc/passwd\"]}")
                            .getBytes());
            server.put("d/x.bin", new byte[] {1, 2, 3}).put("top.bin", new byte[] {9});
            other.put("x.bin", new byte[] {5});
            String location = "reference:" + server.uri() + "/d/r.json";
            try (Store store = Registry.load().open(URI.create(location))) {
                assertInstanceOf(RemoteReads.class, store.reads());
                assertArrayEquals(new byte[] {2, 3}, read(store, "a"));
                assertArrayEquals(new byte[] {9}, read(store, "b"));
                assertThrows(StoreException.class, () -> read(store, "c"));
                assertThrows(StoreException.class, () -> read(store, "d"));
            }
            try (Store store = Registry.load().open(URI.create(location + "#allow=" + other.uri()))) {
                assertArrayEquals(new byte[] {5}, read(store, "c"));
            }
            assertEquals(1, other.log().size());
        }
    }

    @Test
    void parquetReferences_areRefused() throws IOException {
        Files.createDirectories(own.resolve("refs.parq"));
        Files.writeString(own.resolve("refs.parq/.zmetadata"), "{}");
        Files.write(own.resolve("refs.0.parq"), "PAR1....".getBytes());
        for (String name : new String[] {"refs.parq", "refs.0.parq"}) {
            UnsupportedException e = assertThrows(UnsupportedException.class, () -> Registry.load()
                    .open(URI.create(
                            "reference:" + own.resolve(name).toUri().toString().replaceAll("/$", ""))));
            assertTrue(
                    e.getMessage().contains("references in Parquet files are not supported; expected a JSON document"),
                    e.getMessage());
        }
        StoreException none = assertThrows(StoreException.class, () -> Registry.load()
                .open(URI.create("reference:" + path(own.resolve("none.json")))));
        assertTrue(none.getMessage().contains("there is no reference document at"), none.getMessage());
    }
}
