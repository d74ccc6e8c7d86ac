package dev.shardkit.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

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
        assertEquals("/data/a:b@c", Locations.uri("//data/a:b@c").getPath());
    }
}
