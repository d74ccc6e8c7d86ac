/** HTTP requests for remote stores: the interface that an HTTP client implements. */
@SuppressWarnings("module") // the modules after `to` depend on this one, so javac does not find them yet
module dev.shardkit.transport {
    requires static transitive org.jspecify;

    exports dev.shardkit.transport;
    exports dev.shardkit.transport.timer to
            dev.shardkit.stores,
            dev.shardkit.transport.apache;

    uses dev.shardkit.transport.TransportProvider;
}
