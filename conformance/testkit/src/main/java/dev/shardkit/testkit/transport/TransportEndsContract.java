package dev.shardkit.testkit.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.transport.Request;
import dev.shardkit.transport.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link dev.shardkit.transport.Transport}s as tests of exchanges that end early, fail, or wait. To
 * test a transport, extend this class and {@link TransportContract}.
 */
public abstract class TransportEndsContract extends TransportFixture {
    /** For subclasses. */
    protected TransportEndsContract() {}

    @Test
    void bodyThatStops_isDone() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        serve("/endless", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try {
                while (true) {
                    exchange.getResponseBody().write(new byte[65536]);
                }
            } catch (IOException e) { // the client has closed
                end.countDown();
            }
        });
        Transport transport = transport();
        TransportExchange answer = TransportExchange.upTo(transport, Request.get(uri("/endless"), Map.of()), 100_000);
        assertTrue(answer.get().length >= 100_000);
        assertTrue(end.await(60, TimeUnit.SECONDS), "the connection is closed");
        assertEquals(
                0,
                TransportExchange.to(transport, Request.get(uri("/echo"), Map.of()))
                        .get()
                        .length);
    }

    @Test
    void cancel_endsTheExchange_andItsConnection() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        serve("/slow", exchange -> {
            try {
                begun.countDown();
                exchange.sendResponseHeaders(200, 0); // may find the connection closed already
                while (true) {
                    exchange.getResponseBody().write(new byte[1]);
                    exchange.getResponseBody().flush();
                    Thread.onSpinWait();
                }
            } catch (IOException e) {
                end.countDown();
            }
        });
        TransportExchange answer = get("/slow");
        begun.await();
        answer.cancel();
        assertTrue(end.await(60, TimeUnit.SECONDS), "the connection is closed");
    }

    @Test
    void shortBody_fails() throws Exception {
        serve("/short", exchange -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write(new byte[10]);
            exchange.getResponseBody().flush();
        });
        assertInstanceOf(IOException.class, failure(get("/short")));
    }

    @Test
    void refusedConnection_fails() throws Exception {
        try (Socket nobody = new Socket()) { // bound, so no other program gets the port, but it does not listen
            nobody.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
            Request request = Request.get(URI.create("http://127.0.0.1:" + nobody.getLocalPort() + "/"), Map.of());
            assertInstanceOf(IOException.class, failure(TransportExchange.to(transport(), request)));
        }
    }

    @Test
    void requestThatCannotBeMade_andReceiverThatThrows_fail() throws Exception {
        IllegalStateException own = new IllegalStateException("mine");
        assertEquals(own, failure(TransportExchange.withRequestThatMayWait(transport(), () -> {
            throw own;
        })));
        assertEquals(own, failure(TransportExchange.thatThrows(transport(), Request.get(uri("/echo"), Map.of()), own)));
    }

    /**
     * Checks the thread that reports a failed request. After the first exchange the client is open. So it may ask for
     * the second request within {@code send}. It must report the failure from another thread.
     */
    @Test
    void requestThatCannotBeMade_failsFromAnotherThread() throws Exception {
        Transport transport = transport();
        TransportExchange.to(transport, Request.get(uri("/echo"), Map.of())).get();
        IllegalStateException own = new IllegalStateException("mine");
        assertEquals(own, failure(TransportExchange.atOnce(transport, () -> {
            throw own;
        })));
    }

    @Test
    void callsThatMayWait_stopNoOtherExchange() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        Transport transport = transport();
        List<TransportExchange> waiting = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            waiting.add(TransportExchange.withRequestThatMayWait(transport, () -> {
                await(over);
                return Request.get(uri("/echo"), Map.of());
            }));
            waiting.add(TransportExchange.thatWaits(transport, Request.get(uri("/echo"), Map.of()), over));
        }
        for (int i = 1; i < waiting.size(); i += 2) {
            waiting.get(i).awaitDone();
        }
        assertEquals(
                0,
                TransportExchange.to(transport, Request.get(uri("/echo"), Map.of()))
                        .get()
                        .length);
        over.countDown();
        for (TransportExchange answer : waiting) {
            assertEquals(0, answer.get().length);
        }
    }

    @Test
    void closing_failsWhatIsUnderWay() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        serve("/held", exchange -> {
            begun.countDown();
            await(over);
        });
        Transport transport = transport();
        TransportExchange answer = TransportExchange.to(transport, Request.get(uri("/held"), Map.of()));
        begun.await();
        transport.close();
        assertNotEquals(Optional.empty(), Optional.of(failure(answer)));
        over.countDown();
    }
}
