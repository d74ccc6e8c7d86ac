package dev.shardkit.session.location;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Paths of Windows: a drive is no scheme, and backslashes survive in locations with a scheme. */
class LocationsTest {
    @Test
    void drives_areNoSchemes() {
        for (String path : new String[] {"C:\\data\\image.zarr", "c:/data/image.zarr", "D:image.zarr", "C:\\a|b"}) {
            assertFalse(Locations.hasScheme(path), path);
        }
        for (String uri : new String[] {"file:/C:/data", "zip:C:\\data\\image.zip", "reference:C:\\r.json"}) {
            assertTrue(Locations.hasScheme(uri), uri);
        }
    }

    @Test
    void fileUris_keepTheDrive() {
        assertEquals(
                "/C:/data/image.zarr", Locations.uri("file:/C:/data/image.zarr").getPath());
        assertEquals(
                "/C:/my data/a.zarr", Locations.uri("file:/C:/my data/a.zarr").getPath());
    }

    @Test
    void backslashes_surviveBehindAScheme() {
        String inside = "C:\\my data\\r.json!a/b";
        assertEquals(inside, Locations.uri("reference:" + inside).getSchemeSpecificPart());
        assertEquals(
                "C:\\data\\image.zip", Locations.uri("zip:C:\\data\\image.zip").getSchemeSpecificPart());
    }

    /** An unset variable of a script must not mean the current folder, which a command might delete. */
    @Test
    void emptyText_isNoLocation() {
        for (String text : new String[] {"", "  "}) {
            assertThrows(IllegalArgumentException.class, () -> Locations.uri(text));
        }
    }

    @Test
    void passwords_withoutAScheme_areNotShown() {
        for (String text : new String[] {"//bob:secret@host/x.zarr", "\\\\bob:secret@host\\x"}) {
            String message = assertThrows(IllegalArgumentException.class, () -> Locations.uri(text))
                    .getMessage();
            assertFalse(message.contains("secret"), message);
            assertTrue(message.contains("put a scheme such as https: before it"), message);
        }
        if (File.separatorChar == '/') {
            assertEquals("/data/a:b@c", Locations.uri("//data/a:b@c").getPath());
        }
    }

    @Test
    void pathsInFiles_needNoScheme(@TempDir Path dir) throws IOException {
        Files.writeString(dir.resolve("a.zip"), "");
        Files.write(dir.resolve("h"), new byte[] {(byte) 0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'});
        Files.writeString(dir.resolve("text"), "");
        Files.writeString(dir.resolve("a.zip!is"), "");
        Files.createDirectory(dir.resolve("b.zip"));
        String at = dir + "/";
        assertEquals(
                "zip:" + dir.toUri() + "a.zip!x/y",
                Locations.uri(at + "a.zip!x/y").toString());
        assertEquals("hdf5:" + dir.toUri() + "h!x", Locations.uri(at + "h!x").toString());
        for (String other : new String[] {"text!x", "a.zip!is", "b.zip!x", "none.h5!x"}) {
            assertEquals("file", Locations.uri(at + other).getScheme(), other);
        }
        assertEquals(
                "zip:" + dir.toUri() + "none.zip!x",
                Locations.uri(at + "none.zip!x").toString());
        assertEquals(
                "hdf5:" + dir.toUri() + "h!x.zip", Locations.uri(at + "h!x.zip").toString());
        assertEquals(
                "zip:cache:https://h/a.zip!x",
                Locations.uri("cache:https://h/a.zip!x").toString());
        assertEquals(
                "hdf5:https://h/a.nc?k=1!x",
                Locations.uri("https://h/a.nc?k=1!x").toString());
        assertEquals("zip:s3://b/a.ozx!x", Locations.uri("s3://b/a.ozx!x").toString());
        assertEquals("https://h/a!x", Locations.uri("https://h/a!x").toString());
    }
}
