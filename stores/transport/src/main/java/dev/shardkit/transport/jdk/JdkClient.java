package dev.shardkit.transport.jdk;

import java.io.IOException;
import java.net.http.HttpClient;

/** The source of a transport's {@link HttpClient}. Thread-safe. */
interface JdkClient {
    /** Returns the client for one exchange. */
    Use use() throws IOException;

    /** Closes the client if shardkit created it. */
    void close();

    /** A client in use. */
    interface Use extends AutoCloseable {
        HttpClient client();

        /**
         * Whether it is the JDK's own implementation, in which {@code send} and {@code sendAsync} differ only in their
         * threads. Other implementations may do more in one of them, so the transport calls {@code sendAsync} on them.
         */
        default boolean isJdk() {
            return client().getClass().getModule() == HttpClient.class.getModule();
        }

        @Override
        default void close() {}
    }

    /** A client of the caller, which stays open. */
    static JdkClient of(HttpClient client) {
        return new JdkClient() {
            @Override
            public Use use() {
                return () -> client;
            }

            @Override
            public void close() {}
        };
    }
}
