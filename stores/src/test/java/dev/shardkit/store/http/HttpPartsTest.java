package dev.shardkit.store.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.store.remote.RetryLimits;
import dev.shardkit.store.remote.exchange.ContentRange;
import dev.shardkit.store.remote.exchange.ObjectVersion;
import dev.shardkit.transport.Headers;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class HttpPartsTest {
    private static Headers headers(String name, String... values) {
        return new Headers(Map.of(name, Arrays.asList(values)));
    }

    @Test
    void contentRange_strictForm_isRead() {
        assertEquals(
                Optional.of(new ContentRange(0, 9, 10)), ContentRange.of(headers("Content-Range", "bytes 0-9/10")));
        assertEquals(
                Optional.of(new ContentRange(5, 5, 1L << 50)),
                ContentRange.of(headers("content-range", " Bytes 5-5/" + (1L << 50))));
        assertEquals(OptionalLong.of(0), ContentRange.unsatisfiedTotal(headers("Content-Range", "bytes */0")));
    }

    @Test
    void contentRange_anythingElse_isNone() {
        for (String text : List.of(
                "",
                "bytes",
                "bytes 0-9",
                "bytes 0-9/*",
                "bytes */10",
                "0-9/10",
                "items 0-9/10",
                "bytes 9-0/10",
                "bytes 0-10/10",
                "bytes=0-9/10",
                "bytes 0-9/10, bytes 0-9/10",
                "bytes -0-9/10",
                "bytes +0-9/10",
                "bytes 0 - 9/10",
                "bytes 0-9/99999999999999999999",
                "bytes \u0660-9/10",
                "bytes 0-9/10x")) {
            assertEquals(Optional.empty(), ContentRange.of(headers("Content-Range", text)), text);
        }
        assertEquals(Optional.empty(), ContentRange.of(headers("Content-Range", "bytes 0-9/10", "bytes 0-9/10")));
        assertEquals(Optional.empty(), ContentRange.of(headers("X", "y")));
        assertEquals(OptionalLong.empty(), ContentRange.unsatisfiedTotal(headers("Content-Range", "bytes */*")));
        assertEquals(OptionalLong.empty(), ContentRange.unsatisfiedTotal(headers("Content-Range", "bytes 0-9/10")));
    }

    @Test
    void version_kinds_areToldApart() {
        assertEquals(Optional.of("s:\"x\""), ObjectVersion.of(headers("ETag", "\"x\""), 5));
        assertEquals(Optional.of("w:W/\"x\"||5"), ObjectVersion.of(headers("ETag", "W/\"x\""), 5));
        assertEquals(Optional.empty(), ObjectVersion.of(headers("ETag", ""), 5));
        assertEquals(
                Optional.of("w:\"\"||5"), ObjectVersion.of(headers("ETag", "\"\""), 5), "an empty tag tells little");
        assertEquals(Optional.of("\"x\""), ObjectVersion.ifMatch(Optional.of("s:\"x\"")));
        assertEquals(Optional.empty(), ObjectVersion.ifMatch(Optional.of("w:W/\"x\"||5")));
    }

    @Test
    void version_lastModified_countsOnceItsSecondIsOver() {
        String modified = "Sun, 06 Nov 1994 08:49:37 GMT";
        assertEquals(Optional.empty(), lastModified(modified, "Sun, 06 Nov 1994 08:49:37 GMT"));
        assertEquals(Optional.empty(), lastModified(modified, "Sun, 06 Nov 1994 08:49:36 GMT"), "clocks may be set");
        assertEquals(Optional.of("w:|" + modified + "|5"), lastModified(modified, "Sun, 06 Nov 1994 08:49:38 GMT"));
        assertEquals(Optional.empty(), lastModified("then", "Sun, 06 Nov 1994 08:49:38 GMT"));
        assertEquals(Optional.empty(), lastModified(modified, "now"));
        assertEquals(
                Optional.empty(),
                ObjectVersion.of(headers("Last-Modified", modified), 5),
                "without a Date nobody knows");
    }

    private static Optional<String> lastModified(String modified, String date) {
        return ObjectVersion.of(new Headers(Map.of("Last-Modified", List.of(modified), "Date", List.of(date))), 5);
    }

    @Test
    void retries_pauses_doubleUpToTheLongest() {
        RetryLimits policy = new RetryLimits(9, Duration.ofMillis(100), Duration.ofSeconds(1));
        assertEquals(Duration.ofMillis(100), policy.pause(1, 0));
        assertEquals(Duration.ofMillis(50), policy.pause(1, 1));
        assertEquals(Duration.ofMillis(400), policy.pause(3, 0));
        assertEquals(Duration.ofSeconds(1), policy.pause(8, 0));
        assertEquals(Duration.ofSeconds(1), policy.pause(Integer.MAX_VALUE, 0));
    }

    @Test
    void endpoint_urls_encodeEachName() {
        Endpoint endpoint = new Endpoint(URI.create("HTTPS://[::1]:8443/a%2Fb//?q"));
        assertEquals(
                "https://[::1]:8443/a%2Fb/c%2B%20%25%3F%23/%C3%A4/0?q",
                endpoint.uri("c+ %?#/\u00e4/0").toString());
        assertEquals("http://h/k", new Endpoint(URI.create("http://h")).uri("k").toString());
        assertTrue(new Endpoint(URI.create("http://h/?a=1")).describe().endsWith("?a=***"));
    }
}
