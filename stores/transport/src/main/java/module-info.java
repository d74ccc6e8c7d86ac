/** HTTP requests for remote stores: one interface, and the JDK's client behind it. */
@SuppressWarnings("module") // the modules named in `exports ... to` depend on this one
module dev.shardkit.transport {
    requires transitive java.net.http;
    requires static transitive org.jspecify;

    exports dev.shardkit.transport;
    exports dev.shardkit.transport.jdk;
    exports dev.shardkit.transport.internal to
            dev.shardkit.stores,
            dev.shardkit.transport.apache;

    uses dev.shardkit.transport.TransportProvider;

    provides dev.shardkit.transport.TransportProvider with
            dev.shardkit.transport.jdk.JdkTransportProvider;
}
