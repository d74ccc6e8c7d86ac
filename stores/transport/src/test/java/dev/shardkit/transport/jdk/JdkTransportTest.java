package dev.shardkit.transport.jdk;

import dev.shardkit.transport.TransportContract;
import dev.shardkit.transport.TransportProvider;

class JdkTransportTest extends TransportContract {
    @Override
    protected TransportProvider provider() {
        return new JdkTransportProvider();
    }
}
