package dev.shardkit.transport.jdk;

import dev.shardkit.transport.Transport;
import dev.shardkit.transport.TransportProvider;
import dev.shardkit.transport.TransportSettings;
import dev.shardkit.transport.internal.ExchangeThreads;

/** Creates transports over the JDK's {@link java.net.http.HttpClient}. */
public final class JdkTransportProvider implements TransportProvider {
    @Override
    public String name() {
        return "jdk";
    }

    @Override
    public Transport open(TransportSettings settings) {
        ExchangeThreads threads = new ExchangeThreads();
        return new JdkTransport(threads, new OwnJdkClient(settings, threads));
    }
}
