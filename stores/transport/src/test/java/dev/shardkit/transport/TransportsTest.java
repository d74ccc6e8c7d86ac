package dev.shardkit.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.transport.TransportSettings.Protocol;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which provider is used, and how stores share transports. */
class TransportsTest {
    private static final TransportSettings SETTINGS = TransportSettings.of(Protocol.HTTP_2, Duration.ofSeconds(1));

    /** Counts how often its transports were closed. */
    private static final class Counting implements TransportProvider {
        private final String name;
        private final List<Transport> closed = new ArrayList<>();

        Counting(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Transport open(TransportSettings settings) {
            return new Transport() {
                @Override
                public Exchange send(Receiver receiver) {
                    throw new AssertionError();
                }

                @Override
                public void execute(Runnable work) {
                    work.run();
                }

                @Override
                public void close() {
                    closed.add(this);
                }
            };
        }
    }

    @Test
    void theLastLease_closesTheTransport() {
        Counting provider = new Counting("counting");
        Transports.Lease one = Transports.shared(provider, SETTINGS);
        Transports.Lease two =
                Transports.shared(provider, TransportSettings.of(Protocol.HTTP_2, Duration.ofSeconds(1)));
        Transports.Lease other =
                Transports.shared(provider, TransportSettings.of(Protocol.HTTP_1_1, Duration.ofSeconds(1)));
        assertSame(one.transport(), two.transport());
        assertNotSame(one.transport(), other.transport());
        one.close();
        one.close();
        assertEquals(List.of(), provider.closed);
        two.close();
        assertEquals(List.of(two.transport()), provider.closed);
        Transports.Lease anew = Transports.shared(provider, SETTINGS);
        assertNotSame(two.transport(), anew.transport());
        anew.close();
        other.close();
        assertEquals(3, provider.closed.size());
    }

    @Test
    void choice_prefersOtherClientsToApaches() {
        List<TransportProvider> found = List.of(new Counting("apache"), new Counting("zebra"), new Counting("bee"));
        assertEquals("bee", Transports.choose(found).name());
        assertEquals("apache", Transports.choose(found.subList(0, 1)).name());
        IllegalStateException e = assertThrows(IllegalStateException.class, () -> Transports.choose(List.of()));
        assertTrue(e.getMessage().contains("add shardkit-transport-apache"), e.getMessage());
    }
}
