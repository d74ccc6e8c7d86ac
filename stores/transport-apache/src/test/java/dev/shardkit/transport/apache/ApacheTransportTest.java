package dev.shardkit.transport.apache;

import dev.shardkit.testkit.transport.TransportContract;
import dev.shardkit.testkit.transport.TransportCutsContract;
import dev.shardkit.testkit.transport.TransportEndsContract;
import dev.shardkit.testkit.transport.TransportTlsContract;
import dev.shardkit.transport.TransportProvider;
import org.junit.jupiter.api.Nested;

/** The contracts of transports, for this client. */
class ApacheTransportTest {
    @Nested
    class Exchanges extends TransportContract {
        @Override
        protected TransportProvider provider() {
            return new ApacheTransportProvider();
        }
    }

    @Nested
    class Ends extends TransportEndsContract {
        @Override
        protected TransportProvider provider() {
            return new ApacheTransportProvider();
        }
    }

    @Nested
    class Cuts extends TransportCutsContract {
        @Override
        protected TransportProvider provider() {
            return new ApacheTransportProvider();
        }
    }

    @Nested
    class Tls extends TransportTlsContract {
        @Override
        protected TransportProvider provider() {
            return new ApacheTransportProvider();
        }
    }
}
