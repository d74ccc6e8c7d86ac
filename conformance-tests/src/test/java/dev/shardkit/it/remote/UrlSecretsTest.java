package dev.shardkit.it.remote;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrOptions;
import dev.shardkit.spi.error.ZarrException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** URLs that cannot be parsed or opened: no message and no cause repeats their passwords. */
class UrlSecretsTest {
    private static final String PASSWORD = "passw0rd";

    @TempDir
    Path folder;

    private static void assertClean(Throwable thrown) {
        StringWriter trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace));
        assertFalse(trace.toString().contains(PASSWORD), trace::toString);
        assertFalse(thrown.getMessage().isBlank(), thrown::toString);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://us3r:passw0rd@h ost/x",
                "https://us3r:passw0rd%@host/x",
                "http://us3r:pa passw0rd@h/x",
                "http://us3r:passw0rd@h/x y",
                "http://us3r:passw0rd@[::1/x",
                "http://us3r:passw0rd@h:port/x",
                "http://us3r:passw0rd\u0000@h/x",
                "http://us3r:passw0rd\n@h/x",
                "http://h/x?sig=passw0rd^",
                "http:us3r:passw0rd@h",
                "ftp://us3r:passw0rd@h/x",
                "file://us3r:passw0rd@h/x",
                "memory://us3r:passw0rd@h/x",
                "s3://us3r:passw0rd@ h/x",
                "reference:http://us3r:passw0rd@h ost/r.json!x",
                "reference:/r.json!x#allow=http://us3r:passw0rd@ h/",
                "reference:mailto:us3r:passw0rd@h!x",
                "reference:/r.json!x#allow=mailto:us3r:passw0rd@h"
            })
    void location_thatCannotBeOpened_showsNoPassword(String location) {
        assertClean(assertThrows(RuntimeException.class, () -> Zarr.openArray(location)));
        assertClean(assertThrows(RuntimeException.class, () -> Zarr.openStore(location, ZarrOptions.defaults())
                .close()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://us3r:passw0rd@h ost/x",
                "http://us3r:pass/passw0rd@h ost/x",
                "//us3r:passw0rd@h{/x",
                "http://h ost/x?sig=passw0rd",
                "http://us3r:passw0rd@h/x#f"
            })
    void reference_thatCannotBeParsed_showsNoPassword(String url) throws IOException {
        Path document = Files.writeString(folder.resolve("r.json"), "{\"zarr.json\":[\"" + url + "\",0,3]}");
        assertClean(assertThrows(ZarrException.class, () -> Zarr.openArray("reference:" + document.toUri())));
    }

    @Test
    void location_thatCannotBeParsed_isNamedByItsScheme() {
        String message = assertThrows(IllegalArgumentException.class, () -> Zarr.openArray("http://u:p@h ost/"))
                .getMessage();
        assertTrue(message.contains("http:") && message.contains("Illegal character in authority"), message);
    }
}
