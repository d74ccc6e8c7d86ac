package dev.shardkit.store.file;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import org.junit.jupiter.api.Test;

/** URLs of files with the host {@code localhost}. */
class LocalHostTest {
    private static String path(String url, char separator) {
        return FileStoreFactory.withoutHost(URI.create(url), separator).toString();
    }

    @Test
    void hostIsRemoved_exceptBeforeTheNameOfAShare() {
        assertEquals("file:///data/x", path("file://localhost/data/x", '/'));
        assertEquals("file:///C:/data/x", path("file://localhost/C:/data/x", '/'));
        assertEquals("file:///C:/data/a%20b", path("file://localhost/C:/data/a%20b", '\\'));
        assertEquals("file://localhost/share/x.zarr", path("file://localhost/share/x.zarr", '\\'));
        assertEquals("file://server/share/x.zarr", path("file://server/share/x.zarr", '\\'));
        assertEquals("file:/data/x", path("file:/data/x", '\\'));
    }
}
