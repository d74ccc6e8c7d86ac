/** The transport over Apache HttpComponents. */
module dev.shardkit.transport.apache {
    requires transitive dev.shardkit.transport;
    requires static transitive org.jspecify;
    requires org.apache.httpcomponents.core5.httpcore5;
    requires org.apache.httpcomponents.core5.httpcore5.h2;
    requires jdk.net; // httpcore5 needs it, but as an automatic module does not declare it

    provides dev.shardkit.transport.TransportProvider with
            dev.shardkit.transport.apache.ApacheTransportProvider;
}
