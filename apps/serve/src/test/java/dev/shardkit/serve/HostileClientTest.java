package dev.shardkit.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.Content;
import dev.shardkit.store.LocalReads;
import dev.shardkit.store.ObjectSnapshot;
import dev.shardkit.store.Reads;
import dev.shardkit.store.Store;
import dev.shardkit.store.access.BlockingStore;
import dev.shardkit.store.memory.MemoryStore;
import dev.shardkit.store.policy.Durability;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Slow and hostile clients take nothing from others. */
@Timeout(300)
class HostileClientTest {
    private static final int LARGE = 1 << 25;
    private static final int ATTEMPTS = 50;
    private static final RequestWorkers.ClientLimits LITTLE =
            patience(3, Duration.ofMillis(300), Duration.ofMillis(300));
    private static final RequestWorkers.ClientLimits ENDLESS = patience(4, Duration.ofHours(1), Duration.ofHours(1));

    private static RequestWorkers.ClientLimits patience(int threads, Duration usual, Duration crowded) {
        RequestWorkers.Limit limit = new RequestWorkers.Limit(usual, crowded);
        return new RequestWorkers.ClientLimits(threads, limit, limit);
    }

    private static Store store() throws IOException {
        Store store = MemoryStore.create();
        BlockingStore.to(store).put("small", Content.of(Bytes.of(new byte[] {'x'})), Durability.NONE);
        BlockingStore.to(store).put("large", Content.of(Bytes.of(new byte[LARGE])), Durability.NONE);
        return store;
    }

    /** On a busy machine, this client may be cut off as a slow one itself; then it asks again. */
    private static void assertAnswers(DataServer server) throws IOException {
        for (int i = 1; ; i++) {
            try {
                assertEquals("x", RawHttp.get(server, "/small").text());
                return;
            } catch (EOFException | SocketException e) {
                if (i == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static void awaitIdle(DataServer server) {
        while (server.activeRequests() > 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void unfinishedHeaders_areCutOff() throws IOException {
        try (DataServer server = DataServer.start(store(), ServerOptions.defaults(), LITTLE)) {
            List<RawHttp> slow = new ArrayList<>();
            for (String begun :
                    List.of("G", "GET /small HTTP/1.1\r\nHost: 127.0.0.1\r\n", "GET /sm", "GET / HT", "\r")) {
                RawHttp http = RawHttp.to(server);
                http.send(begun);
                slow.add(http);
            }
            assertAnswers(server); // although there are more slow clients than threads
            for (RawHttp http : slow) {
                http.drain();
                http.close();
            }
            assertAnswers(server);
        }
    }

    @Test
    void stormOfUnfinishedRequests_doesNotLockOthersOut() throws IOException {
        // without a crowd, nobody is cut off within the time of this test
        RequestWorkers.ClientLimits patience = patience(
                RequestWorkers.ClientLimits.DEFAULT.threads(),
                Duration.ofHours(1),
                RequestWorkers.ClientLimits.DEFAULT.headers().underLoad());
        List<RawHttp> storm = new ArrayList<>();
        try (DataServer server = DataServer.start(store(), ServerOptions.defaults(), patience)) {
            for (int i = 0; i < 700; i++) {
                RawHttp http = RawHttp.to(server);
                storm.add(http);
                http.send("GET /small HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ");
            }
            assertAnswers(server);
            assertAnswers(server);
        } finally {
            for (RawHttp http : storm) {
                http.close();
            }
        }
    }

    @Test
    void manyClientsThatDoNotRead_doNotLockOthersOut() throws IOException {
        try (DataServer server = DataServer.start(
                store(), ServerOptions.defaults(), patience(4, Duration.ofHours(1), Duration.ofMillis(100)))) {
            List<RawHttp> storm = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                RawHttp http = RawHttp.to(server);
                storm.add(http);
                http.send("GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
            }
            assertAnswers(server);
            for (RawHttp http : storm) {
                http.close();
            }
        }
    }

    @Test
    void endlessHeaders_areCutOff() throws IOException {
        try (DataServer server = DataServer.start(store(), ServerOptions.defaults(), ENDLESS);
                RawHttp http = RawHttp.to(server)) {
            http.send("GET /small HTTP/1.1\r\n");
            String header = "X-Filler: " + "y".repeat(1000) + "\r\n";
            try {
                for (int i = 0; i < 1_000_000; i++) {
                    http.send(header);
                }
                throw new AssertionError("the server read a gigabyte of headers");
            } catch (IOException e) {
                assertAnswers(server);
            }
        }
    }

    @Test
    void clientThatDoesNotRead_isCutOff() throws IOException {
        try (DataServer server = DataServer.start(store(), ServerOptions.defaults(), LITTLE);
                RawHttp http = RawHttp.to(server)) {
            http.send("GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
            http.send("GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
            assertEquals(200, http.reply(true).status());
            awaitIdle(server);
            assertTrue(http.drain() < LARGE, "the answer was cut off");
            assertAnswers(server);
        }
    }

    @Test
    void manyIdleConnections_harmNothing() throws IOException {
        try (DataServer server = DataServer.start(store(), ServerOptions.defaults(), ENDLESS)) {
            List<RawHttp> idle = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                idle.add(RawHttp.to(server));
            }
            assertAnswers(server);
            for (RawHttp http : idle) {
                http.close();
            }
            assertAnswers(server);
        }
    }

    @Test
    void requestBodies_areNotRead() throws IOException {
        try (DataServer server = DataServer.start(store(), ServerOptions.defaults(), LITTLE)) {
            try (RawHttp http = RawHttp.to(server)) {
                http.send("GET /small HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999\r\n\r\n");
                assertEquals("x", http.reply(false).text());
                http.drain();
            }
            try (RawHttp http = RawHttp.to(server)) {
                http.send("PUT /small HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab");
                assertEquals(405, http.reply(false).status());
                http.drain();
            }
            assertAnswers(server);
        }
    }

    @Test
    void nonsense_harmsNothing() throws IOException {
        try (DataServer server = DataServer.start(store(), ServerOptions.defaults(), LITTLE)) {
            for (String nonsense : List.of(
                    "\r\n\r\n",
                    "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003\r\n\r\n",
                    "GET\r\n\r\n",
                    "GET / / / HTTP/9.9\r\n\r\n",
                    "GET /small HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                    "GET /small HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                    "GET /small HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n",
                    "GET /" + "a/".repeat(50_000) + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")) {
                try (RawHttp http = RawHttp.to(server)) {
                    http.send(nonsense);
                    http.finish();
                    http.drain();
                }
            }
            assertAnswers(server);
        }
    }

    @Test
    void failingStore_isStatus500_orACutAnswer() throws IOException {
        List<String> failures = new CopyOnWriteArrayList<>();
        try (DataServer server =
                DataServer.start(new Failing(), ServerOptions.defaults().withFailures(failures::add), ENDLESS)) {
            RawHttp.Reply reply = RawHttp.get(server, "/closed");
            assertEquals(500, reply.status());
            assertTrue(!reply.text().contains("password"), reply.text());
            try (RawHttp http = RawHttp.to(server)) {
                http.send("GET /torn HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
                assertEquals(200, http.reply(true).status());
                assertEquals(1 << 18, http.drain());
            }
            assertEquals(2, failures.size(), failures.toString());
            assertTrue(failures.get(0).contains("password"), failures.get(0));
        }
    }

    /** Opens nothing, or an object whose second block cannot be read. */
    private static final class Failing implements Store, LocalReads {
        @Override
        public String describe() {
            return "failing";
        }

        @Override
        public Reads reads() {
            return this;
        }

        @Override
        public Optional<ObjectSnapshot> open(String key) {
            if (key.equals("torn")) {
                return Optional.of(new Torn());
            }
            throw new StoreException("a message with a password");
        }
    }

    private record Torn() implements ObjectSnapshot {
        @Override
        public String version() {
            throw new StoreException("no versions");
        }

        @Override
        public long size() {
            return 1L << 40;
        }

        @Override
        public void read(long offset, ByteBuffer into) throws IOException {
            if (offset > 0) {
                throw new IOException("torn");
            }
            into.position(into.limit());
        }

        @Override
        public void close() {}
    }
}
