package dev.shardkit.store.http;

import dev.shardkit.testkit.TransportContract;
import dev.shardkit.testkit.TransportCutsContract;
import dev.shardkit.testkit.TransportEndsContract;
import dev.shardkit.testkit.TransportTlsContract;
import dev.shardkit.transport.TransportProvider;
import dev.shardkit.transport.jdk.JdkTransportProvider;
import org.junit.jupiter.api.Nested;

/** The contracts of transports, for the JDK's client. */
class JdkTransportTest {
    @Nested
    class Exchanges extends TransportContract {
        @Override
        protected TransportProvider provider() {
            return new JdkTransportProvider();
        }
    }

    @Nested
    class Ends extends TransportEndsContract {
        @Override
        protected TransportProvider provider() {
            return new JdkTransportProvider();
        }
    }

    @Nested
    class Cuts extends TransportCutsContract {
        @Override
        protected TransportProvider provider() {
            return new JdkTransportProvider();
        }
    }

    @Nested
    class Tls extends TransportTlsContract {
        @Override
        protected TransportProvider provider() {
            return new JdkTransportProvider();
        }
    }
}
