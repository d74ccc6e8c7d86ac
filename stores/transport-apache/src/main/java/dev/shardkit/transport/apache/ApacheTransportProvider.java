package dev.shardkit.transport.apache;

import dev.shardkit.transport.Transport;
import dev.shardkit.transport.TransportProvider;
import dev.shardkit.transport.TransportSettings;

/** Creates transports over httpcore5, the asynchronous core of Apache HttpClient 5. */
public final class ApacheTransportProvider implements TransportProvider {
    @Override
    public String name() {
        return "apache";
    }

    @Override
    public Transport open(TransportSettings settings) {
        return new ApacheTransport(settings);
    }
}
