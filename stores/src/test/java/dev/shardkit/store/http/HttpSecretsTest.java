package dev.shardkit.store.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.remote.exchange.Secrets;
import dev.shardkit.testkit.server.RangeServer.Fault;
import dev.shardkit.testkit.server.RangeServer.Quirk;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;

class HttpSecretsTest extends HttpFixture {
    private static final List<String> SECRETS = List.of(
            "passw0rd", "us3r", "s1gnature", "s1gn/ature", "s1gn%2Fature", "t0ken", "h3ader", "dXMzcjpwYXNzdzByZA");

    private HttpStore secretive() {
        URI base = URI.create(
                "http://us3r:passw0rd@127.0.0.1:" + server.uri().getPort() + "/?X-Sig=s1gnature&b=s1gn%2Fature");
        return HttpStore.builder(base)
                .retries(QUICK)
                .bearerToken(() -> "t0ken")
                .headers(() -> Map.of("X-Key", "h3ader"))
                .deadline(Duration.ofMinutes(2))
                .build();
    }

    private static void assertClean(String text) {
        for (String secret : SECRETS) {
            assertFalse(text.contains(secret), secret + " in " + text);
        }
    }

    @Test
    void describe_showsNamesOnly() {
        String shown = secretive().describe();
        assertClean(shown);
        assertTrue(shown.endsWith("?X-Sig=***&b=***"), shown);
        assertClean(
                HttpStore.at(URI.create("https://us3r:passw0rd@h/p?s1gnature")).describe());
        assertClean(secretive().toString());
    }

    @Test
    void errors_ofAllKinds_showNone() throws Exception {
        List<String> retries = new ArrayList<>();
        List<Runnable> faults = List.of(
                () -> server.failNext(40, Fault.DROP),
                () -> server.failNext(40, Fault.SHORT_BODY),
                () -> server.failNext(4, 503, Map.of()),
                () -> server.failNext(1, 403, Map.of()),
                () -> server.failNext(1, 302, Map.of("Location", "http://x/?s1gnature")),
                () -> server.failNext(1, 302, Map.of("Location", ":::s1gnature")),
                () -> server.quirks(Quirk.GZIP),
                () -> server.quirks(Quirk.WRONG_CONTENT_RANGE),
                () -> server.close());
        HttpStore store = secretive();
        for (Runnable fault : faults) {
            server.clearFaults();
            fault.run();
            ExecutionException e = assertThrows(ExecutionException.class, () -> store.fetch(
                            "k", new ByteRange.Slice(0, 100), Optional.empty(), new StoreListener() {
                                @Override
                                public void onRetry(String key, int attempt, String reason) {
                                    retries.add(key + reason);
                                }
                            })
                    .get());
            assertTrue(e.getCause() instanceof StoreException, e.toString());
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace));
            assertClean(trace.toString());
        }
        assertFalse(retries.isEmpty());
        retries.forEach(HttpSecretsTest::assertClean);
    }

    @Test
    void causes_thatHoldSecrets_areReplaced() {
        Throwable cause = new IOException("at http://h/?x=s1gnature", new IllegalStateException("t0ken"));
        Throwable clean = Secrets.clean(cause, Set.of("s1gnature", "t0ken", "at"));
        StringWriter trace = new StringWriter();
        clean.printStackTrace(new PrintWriter(trace));
        assertClean(trace.toString());
        assertTrue(clean.getMessage().contains("at http://h/?x=***"), clean.getMessage());
        Throwable harmless = new IOException("reset");
        assertEquals(harmless, Secrets.clean(harmless, Set.of("s1gnature")));
    }

    @Test
    void log_isSilentByDefaultAndShowsNone() throws Exception {
        Logger logger = Logger.getLogger("dev.shardkit.store.http");
        List<String> lines = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public synchronized void publish(LogRecord logRecord) {
                lines.add(new SimpleFormatter().format(logRecord));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        handler.setLevel(Level.ALL);
        logger.addHandler(handler);
        try {
            found(secretive(), slice(0, 10));
            assertEquals(List.of(), lines);
            logger.setLevel(Level.FINE);
            found(secretive(), slice(0, 10));
            assertFalse(lines.isEmpty());
            assertClean(String.join("\n", lines));
        } finally {
            logger.setLevel(null);
            logger.removeHandler(handler);
        }
    }

    @Test
    void illegalUrls_areNotRepeatedInErrors() {
        for (String url :
                List.of("ftp://us3r:passw0rd@h/x", "http://us3r:passw0rd@h/#s1gnature", "http:us3r", "http:///us3r")) {
            assertClean(assertThrows(IllegalArgumentException.class, () -> HttpStore.at(URI.create(url)))
                    .toString());
        }
    }
}
